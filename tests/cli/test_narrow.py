"""Every line fits a terminal of 40 columns, and breaks between words."""

import re
from collections.abc import Sequence

import pytest

from tests.cli.program import Generala
from tests.sizes import thinned

COLUMNS = 40
_LINES = (
    *(
        "-h",
        "help",
        "help commands",
        "help pay",
        "help tournament new",
        "help environment",
        "help exit-codes",
    ),
    *("", "sheet", "standings", "payouts", "log", "log --all", "ledger", "ledger --payments", "rules list"),
    *("ledger --why Rosalinda Maximilian", "games", "players", "stats", "records", "check 55533"),
    *("zzzz", "score", "amend 1 12345 full", "ledger last night", "new Ana Beto --rules bowling"),
    *("55533 --as full -n", "x straight", "amend 1 11112", "undo -n", "rematch", "use 1", "delete 2 --yes"),
    *("new Ana Beto --rules general --stake 0.5 --unit USD --name friday", "join Valentina", "end"),
    *("pay Rosalinda Zoe 5", "deshaser", "tournament", "use 7", "export --output /none/x.csv"),
)


@pytest.fixture
def played(generala: Generala) -> Generala:
    generala.ok("new", "Maximilian", "Rosalinda", "--rules", "generala", "--stake", "0.5", "--unit", "USD")
    for line in ("55533", "44433", "12345", "66665 --as sixes", "end"):
        generala.ok(*line.split())
    generala.ok("pay", "Rosalinda", "Maximilian", "1200", "--yes")
    generala.ok("rematch")
    return generala


def shown(generala: Generala, line: str, language: str) -> Sequence[str]:
    environment = {"GENERALA_LANGUAGE": language, "PAGER": "", "TERM": "xterm"}
    with generala.on_terminal(*line.split(), lines=500, columns=COLUMNS, environment=environment) as terminal:
        _, text = terminal.end()
    return [line.rstrip("\r") for line in re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", text).split("\n")]


@pytest.mark.complete
@pytest.mark.thinned(every=8)
@pytest.mark.parametrize(
    ("line", "language"),
    thinned([(line, language) for line in _LINES for language in ("en", "es", "de", "pt")], every=8),
)
def test_every_line_fits_a_phone(played: Generala, line: str, language: str) -> None:
    for each in shown(played, line, language):
        assert len(each) <= COLUMNS or " " not in each.strip(), each


@pytest.mark.complete
def test_a_list_of_payments_names_everyone_whole(played: Generala) -> None:
    text = " ".join(" ".join(shown(played, "ledger --payments", "en")).split())
    assert text.endswith("payment 1: Rosalinda paid Maximilian 1200.00 USD")
