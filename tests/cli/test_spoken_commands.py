"""Commands as people say them."""

from generala_cli.cli.spoken_commands import plain_arguments, said_command

SENTENCES = {
    "se fue Mirta": ("leave", "Mirta"),
    "Mirta se fue": ("leave", "Mirta"),
    "Oma Dora steigt aus": ("leave", "Oma", "Dora"),
    "Ana left": ("leave", "Ana"),
    "left": (),
    "se Mirta": (),
}


def test_a_sentence_is_a_command() -> None:
    assert {line: said_command(line.split()) for line in SENTENCES} == SENTENCES


ARGUMENTS = {
    "pay Mirta a Lucho 100": "pay Mirta Lucho 100",
    "pay Mirta a 100 ARS": "pay Mirta a 100 ARS",
    "pay Mirta an Lucho todo": "pay Mirta Lucho todo",
    "pay Mirta to 100": "pay Mirta to 100",
    "amend el turno 3 full": "amend 3 full",
    "amend turn 3": "amend 3",
    "amend 3 the full": "amend 3 the full",
    "amend 3 as full": "amend 3 full",
    "amend 3 --as full": "amend 3 --as full",
    "new Ana to Beto": "new Ana to Beto",
}


def test_words_that_mean_nothing_are_dropped() -> None:
    found = {line: plain_arguments(line.split()[0], line.split()[1:]) for line in ARGUMENTS}
    assert {line: " ".join((line.split()[0], *given)) for line, given in found.items()} == ARGUMENTS


def test_a_time_of_two_words_is_one_value() -> None:
    given = plain_arguments("games", ["--since", "last", "night", "--with", "Ana"])
    assert given == ["--since", "last night", "--with", "Ana"]
    assert plain_arguments("games", ["--since", "12", "Ana"]) == ["--since", "12", "Ana"]
