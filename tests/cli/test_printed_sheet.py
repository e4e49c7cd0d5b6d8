"""The printed General sheet of the guide (sources), played hand by hand from the shell."""

import pytest

from tests.cli.program import Generala

PLAYERS = ("A", "B", "C", "D")
TOTALS = {"A": 153, "B": 128, "C": 156, "D": 218}
SCRATCH = "scratch"

# A round a line: its category, then what A, B, C and D threw for it; `!` is the first throw.
ROUNDS = """
ones            scratch scratch 11114   11123
twos            22346   22256   22246   22156
threes          33316   33312   33456   33215
fours           44156   44263   44413   44425
fives           55553   55126   55541   55552
sixes           66123   scratch 66634   66612
straight        12345!  65432!  23456   54321!
full-house      55533!  66622   11144   44466
four-of-a-kind  44442   33336   22225!  66661
general         scratch scratch scratch 66666
"""

PRINTED = {
    "ones": (0, 0, 4, 3),
    "twos": (4, 6, 6, 4),
    "threes": (9, 9, 6, 6),
    "fours": (8, 8, 12, 12),
    "fives": (20, 10, 15, 20),
    "sixes": (12, 0, 18, 18),
    "straight": (25, 25, 20, 25),
    "full-house": (35, 30, 30, 30),
    "four-of-a-kind": (40, 40, 45, 40),
    "general": (0, 0, 0, 60),
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Generala:
    """The game, played to its end."""
    generala = Generala(home=tmp_path_factory.mktemp("printed"))
    generala.ok("new", *PLAYERS, "--rules", "general", "--stake", "0.01", "--unit", "USD")
    for category, *hands in map(str.split, ROUNDS.strip().splitlines()):
        for player, hand in zip(PLAYERS, hands, strict=True):
            assert generala.ok(*_entry(category, hand)).startswith(f"{player}  ")
    return generala


def _entry(category: str, hand: str) -> tuple[str, ...]:
    if hand == SCRATCH:
        return ("scratch", category)
    throw = ("--roll", "1") if hand.endswith("!") else ("--roll", "2")
    return ("score", hand.rstrip("!"), "--as", category, *throw)


def test_every_box_is_as_printed(printed: Generala) -> None:
    boxes = printed.json("sheet")["boxes"]
    for category, points in PRINTED.items():
        assert tuple(boxes[player][category]["points"] for player in PLAYERS) == points


def test_the_totals_are_as_printed_and_d_wins(printed: Generala) -> None:
    assert printed.json("sheet")["totals"] == TOTALS
    standings = printed.json("standings")
    assert (standings["over"], standings["reason"], standings["winners"]) == (True, "points", ["D"])


def test_the_sheet_shows_the_totals_below(printed: Generala) -> None:
    lines = printed.ok("sheet").splitlines()
    (totals,) = (line for line in lines if line.startswith("total"))
    assert [cell.strip() for cell in totals.split("│")[1:]] == ["153", "128", "156", "218"]
    (house_rules,) = (line for line in lines if line.startswith("full house"))
    assert [cell.strip() for cell in house_rules.split("│")[1:]] == ["35*", "30", "30", "30"]
    (smalls,) = (line for line in lines if line.startswith("small general"))
    assert [cell.strip() for cell in smalls.split("│")[1:]] == ["✗", "✗", "✗", "60"]


def test_a_b_and_c_owe_65_90_and_62_cents(printed: Generala) -> None:
    payouts = printed.json("payouts")
    owed = {debt["from"]: (debt["to"], debt["points"], debt["amount"]) for debt in payouts["debts"]}
    assert owed == {"A": ("D", 65, "0.65"), "B": ("D", 90, "0.90"), "C": ("D", 62, "0.62")}
    assert payouts["net"] == {"A": "-0.65", "B": "-0.90", "C": "-0.62", "D": "2.17"}


def test_the_debts_are_told_in_words_too(printed: Generala) -> None:
    lines = [line.split() for line in printed.ok("payouts").splitlines()]
    for debtor, amount, points in (("A", "0.65", "65"), ("B", "0.90", "90"), ("C", "0.62", "62")):
        assert [debtor, "owes", "D", amount, "USD", f"({points}", "points)"] in lines
    assert ["D", "+2.17", "USD"] in lines
