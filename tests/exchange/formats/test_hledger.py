"""hledger's own reading of a journal."""

import shutil
import subprocess
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.exchange.formats.hledger import FORM, account
from generala_cli.game.money import METHODS
from generala_cli.game.payouts import settle
from generala_cli.game.starting import start
from generala_cli.store.gamefile import GameFile
from tests.exchange.formats.playing import file_of, written
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules

needs_hledger = pytest.mark.skipif(shutil.which("hledger") is None, reason="there is no hledger here")


def hledger(journal: str, *arguments: str) -> str:
    command = ["hledger", "-f", "-", *arguments]
    done = subprocess.run(command, input=journal, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, (done.stderr, journal)
    return done.stdout


def won_at_once(names: list[str], *, number: int = 1, label: str = "", **terms: str) -> GameFile:
    """A game in which the first player has a full house, the others scratch, and the first wins."""
    agreed = start(cached_rules("general"), names, openings={}, label=label, **terms)  # type: ignore[arg-type]
    table = Table(agreed.rules, *names)
    table.score(names[0], "55533", "full-house", roll=1)
    for name in names[1:]:
        table.scratch(name, "ones")
    table.score(names[0], "66666", None, roll=1)
    return file_of(agreed, table.events, number)


def test_a_game_is_a_transaction() -> None:
    journal = written(FORM, won_at_once(["Ana", "Beto"], label="a; b | c", stake="0.01", unit="USD"))
    assert journal == (
        "commodity 1000.00 USD\n"
        "account players:Ana\n"
        "account players:Beto\n"
        "\n"
        "2026-11-20 game 1: General, a, b / c\n"
        "    ; id: 00000000000000000000000000000001\n"
        "    players:Ana  0.95 USD\n"
        "    players:Beto  -0.95 USD\n"
    )


def test_a_person_is_one_account_however_they_are_spelled() -> None:
    files = [
        won_at_once(["Ana", "Beto"], stake="1", unit="beer"),
        won_at_once(["BETO", "ana"], number=2, stake="1", unit="beer"),
    ]
    accounts = [line for line in written(FORM, *files).splitlines() if line.startswith("account")]
    assert accounts == ["account players:ana", "account players:BETO"]


NAMES = [
    "a:b",
    "a%3Ab",
    "(Ana)",
    "[x]",
    "* Ana",
    "! Ana",
    "a;b",
    "a  b",
    "a b",
    "@ = 3",
    "日本語",
    'O\'B "x"',
]
UNITS = ["USD", "JPY", "beer barrel", "3", '"', "a;b", "$$", "🍺", "%22", "-", "a.b", "Ñ"]


@pytest.mark.slow
@needs_hledger
def test_hledger_finds_nothing_to_say_whatever_the_names_and_units() -> None:
    files = [
        won_at_once([*NAMES, "a\u00a0b"], number=number, stake=stake, unit=unit, label="; (x) *")
        for number, (unit, stake) in enumerate(product(UNITS, ("0.25", "1")), start=1)
    ]
    journal = written(FORM, *files)
    hledger(journal, "check", "--strict", "ordereddates")
    found = hledger(journal, "accounts", "--used").splitlines()
    assert sorted(found) == sorted(map(account, [*NAMES, "a\u00a0b"]))
    assert len(hledger(journal, "commodities").splitlines()) == len(UNITS)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1), unique=True))
def test_no_two_names_are_one_account(names: list[str]) -> None:
    assert len({account(name) for name in names}) == len(names)


STAKES = st.sampled_from(["0.01", "1", "0.333", "25"])


@given(games(whole=True), STAKES, st.sampled_from(["USD", "JPY", "drink"]), st.sampled_from(list(METHODS)))
def test_the_balances_are_what_the_payouts_say(played: Played, stake: str, unit: str, method: str) -> None:
    agreed = replace(played.agreed, stake=stake, unit=unit, payout=method)
    file = file_of(agreed, played.events)
    journal = written(FORM, file)
    terms = played.history.game.agreed
    if terms is not played.history.agreed and terms.unit != "point":
        stake, unit, method = terms.stake, terms.unit, terms.payout
    payout = settle(played.history.game, method=method, stake=stake, unit=unit)
    lines = [line.strip().rsplit("  ", 1) for line in journal.splitlines() if line.startswith("    players:")]
    found = {name: Decimal(amount.split()[0]) for name, amount in lines}
    assert found == {account(name): amount for name, amount in payout.members.items() if amount}
