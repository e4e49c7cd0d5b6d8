"""The pot of a tournament, against a recount in fractions."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import UsageError
from generala_cli.game.payouts import nets
from generala_cli.tournament.rules.prizes import payout_when_over, pot_of, share_out
from generala_cli.tournament.rules.standings import PlayerStanding, TableResult
from generala_cli.tournament.rules.tournaments import (
    EntryFee,
    FinalSeated,
    PlayerAdded,
    PlayerDropped,
    SeatedTable,
    check_terms,
    replay,
)
from tests.cases import cases
from tests.tournament.test_tournaments import FINAL, NAMES, RESULTS, ROUND, hexed, terms

FEES = st.sampled_from(
    [("5.00", "USD"), ("0.01", "USD"), ("0.05", "USD"), ("7", "JPY"), ("1.001", "KWD"), ("0.5", "drink")]
)


def ranked(sizes: Sequence[int]) -> list[PlayerStanding]:
    """Return groups of that many players. Only a draw ranks the members of a group."""
    found: list[PlayerStanding] = []
    for size in sizes:
        shared = len(found) + 1
        found += [
            PlayerStanding(
                place=shared + at,
                shared_place=shared,
                player=f"P{shared + at}",
                points=Fraction(0),
                total=0,
                wins=0,
                places=(),
                games=1,
                lot=shared + at,
                decided_by="",
                dropped=False,
                finalist=False,
            )
            for at in range(size)
        ]
    return found


@st.composite
def nights(draw: st.DrawFn) -> tuple[EntryFee, list[PlayerStanding]]:
    """Generate up to 200 players, many of them tied, and prizes of any kind."""
    found = ranked(draw(st.lists(st.integers(1, 5), min_size=2, max_size=60)))[:200]
    cuts = draw(st.sets(st.integers(1, 99), max_size=min(9, len(found) - 1)))
    marks = sorted({0, 100, *cuts})
    shares = sorted((high - low for low, high in pairwise(marks)), reverse=True)
    amount, unit = draw(FEES)
    return EntryFee(amount=amount, unit=unit, prizes=tuple(shares)), found


@given(nights())
def test_the_pot_is_shared_out_to_the_cent(night: tuple[EntryFee, list[PlayerStanding]]) -> None:
    fee, found = night
    payout = share_out(fee, found, [each.player for each in found])
    coin = Fraction(1, 10**payout.places)
    pot = Fraction(fee.amount) * len(found)
    prizes = {player: Fraction(prize) for player, prize in payout.prizes.items()}
    assert sum(prizes.values()) == pot == Fraction(pot_of(fee, len(found)))
    assert all((prize / coin).denominator == 1 for prize in prizes.values())
    worth = [*(pot * share / 100 for share in fee.prizes), *[Fraction(0)] * len(found)]
    for each in found:
        level = [other for other in found if other.shared_place == each.shared_place]
        exact = sum((worth[other.place - 1] for other in level), Fraction(0)) / len(level)
        assert abs(prizes[each.player] - exact) < 2 * coin
    in_order = [prizes[each.player] for each in found]
    assert in_order == sorted(in_order, reverse=True)


@given(nights())
def test_debts_bring_everybody_their_prize_less_the_fee(
    night: tuple[EntryFee, list[PlayerStanding]],
) -> None:
    fee, found = night
    payout = share_out(fee, found, [each.player for each in found])
    expected = {player: prize - Decimal(fee.amount) for player, prize in payout.prizes.items()}
    assert payout.net == expected
    assert nets(payout.owed, [each.player for each in found]) == expected
    assert sum(expected.values()) == 0
    assert all(each.amount > 0 for each in payout.owed)
    assert not {each.debtor for each in payout.owed} & {each.creditor for each in payout.owed}
    assert len(payout.owed) <= max(0, len(found) - 1)


@cases(
    ("fee", "prizes", "sizes", "expected"),
    [
        ("5.00", (50, 30, 20), [1] * 7, ["17.50", "10.50", "7.00"]),
        ("0.05", (34, 33, 33), [1] * 7, ["0.12", "0.12", "0.11"]),
        ("5.00", (50, 30, 20), [4, 3], ["8.75"] * 4),
        ("0.05", (50, 50), [3, 4], ["0.12", "0.12", "0.11"]),
        ("1.00", (60, 40), [1, 2, 1], ["2.40", "0.80", "0.80"]),
        ("5.00", (100,), [1] * 3, ["15.00"]),
    ],
)
def test_prizes_are_those_counted_by_hand(
    fee: str, prizes: tuple[int, ...], sizes: list[int], expected: list[str]
) -> None:
    ordered = ranked(sizes)
    agreed = EntryFee(amount=fee, unit="USD", prizes=prizes)
    found = share_out(agreed, ordered, [each.player for each in ordered]).prizes
    assert [str(prize) for prize in found.values() if prize] == expected


def test_who_pays_whom_stays_when_two_without_a_prize_change_places() -> None:
    ordered = ranked([1] * 7)
    players = [each.player for each in ordered]
    last, other = (replace(each, player=players[at]) for each, at in ((ordered[5], 6), (ordered[6], 5)))
    before = share_out(FEE, ordered, players)
    after = share_out(FEE, [*ordered[:5], last, other], players)
    assert [*after.prizes] != [*before.prizes]
    assert after.owed == before.owed


FEE = EntryFee(amount="5.00", unit="USD", prizes=(60, 40))
PAID = replace(terms(rounds=1), entry_fee=FEE)


def test_nothing_is_owed_before_all_is_played_and_everybody_who_sat_at_a_table_pays() -> None:
    late, gone = PlayerAdded(id=hexed(50), player="Hugo"), PlayerDropped(id=hexed(51), player="Gus")
    final = FinalSeated(id=hexed(52), table=FINAL, carry=False)
    assert payout_when_over(replay(PAID, []), {}) is None
    over = replay(PAID, [late, ROUND, gone])
    payout = payout_when_over(over, RESULTS)
    assert payout is not None
    assert sum(payout.prizes.values()) == 35
    assert payout.net["Gus"] == -5
    assert "Hugo" not in payout.net, "he never sat at a table"
    game = ROUND.tables[0].game
    assert payout_when_over(over, {game: RESULTS[game]}) is None, "a game is not here"
    assert payout_when_over(over, RESULTS | {game: replace(RESULTS[game], is_over=False)}) is None
    in_final = replay(PAID, [late, ROUND, gone, final])
    assert payout_when_over(in_final, RESULTS) is None
    won = TableResult(totals={"Ana": 10, "Beto": 20}, winners=("Beto",), is_over=True)
    after = payout_when_over(in_final, RESULTS | {FINAL.game: won})
    assert after is not None
    assert (str(after.prizes["Beto"]), str(after.prizes["Ana"])) == ("21.00", "14.00")
    assert payout_when_over(replay(terms(rounds=1), [ROUND]), RESULTS) is None, "there is no entry fee"


@cases(("beto", "expected"), [(9, ("17.50", "17.50")), (8, ("21.00", "14.00"))])
def test_who_is_level_in_the_final_shares_unless_the_rounds_tell_them_apart(
    beto: int, expected: tuple[str, str]
) -> None:
    table = SeatedTable(game=hexed(10), players=("Ana", "Beto", "Cora"))
    seated = replace(ROUND, tables=(table, SeatedTable(game=hexed(11), players=NAMES[3:])))
    totals = ({"Ana": 9, "Beto": beto, "Cora": 1}, dict.fromkeys(NAMES[3:], 5), {"Ana": 20, "Beto": 20})
    results = {
        game: TableResult(totals=each, winners=("Ana", "Beto", *NAMES[3:]), is_over=True)
        for game, each in zip((hexed(10), hexed(11), FINAL.game), totals, strict=True)
    }
    final = FinalSeated(id=hexed(52), table=FINAL, carry=False)
    payout = payout_when_over(replay(PAID, [seated, final]), results)
    assert payout is not None
    assert (str(payout.prizes["Ana"]), str(payout.prizes["Beto"])) == expected


@cases(
    "wrong",
    [
        {"amount": "5"},
        {"amount": "0.00"},
        {"amount": "5.001"},
        {"unit": "point"},
        {"unit": " USD"},
        {"prizes": (50, 40)},
        {"prizes": (40, 60)},
        {"prizes": (23, *[11] * 7)},
    ],
)
def test_fees_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    check_terms(PAID)
    with pytest.raises(UsageError):
        check_terms(replace(PAID, entry_fee=replace(FEE, **wrong)))
