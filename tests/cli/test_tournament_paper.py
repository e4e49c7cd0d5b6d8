"""A round of a tournament on paper, as it is typed."""

from tests.cli.program import Generala


def test_a_round_is_printed_as_a_page(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", *"Ana Beto Cora Dani Eva Fito".split(), "--tables-of", "3")
    assert "no round is seated yet" in generala("tournament", "print", "--html").err
    generala.ok("tournament", "seat")
    page = generala.ok("tournament", "print", "--html")
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert page.count("<section") == 2 + 2, "seats by name and by table, and a sheet for each of two tables"
    assert generala.json("tournament", "print", "1", "--html")["html"] == page
    assert "round 2 is not seated" in generala("tournament", "print", "2", "--html").err
    assert "say --html" in generala("tournament", "print").err
