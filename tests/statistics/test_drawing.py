"""Statistics on the screen: they fit, names are plain text, and uncertain values are marked."""

import re

from rich.cells import cell_len

from generala_cli.app.luck import Luck
from generala_cli.game.events import Scored, Scratched
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Screen, as_text
from generala_cli.statistics.drawing import drawn
from generala_cli.statistics.games import ExaminedGames
from generala_cli.statistics.players import stats
from generala_cli.statistics.records import records
from generala_cli.statistics.versus import versus
from tests.cases import cases
from tests.game.table import house
from tests.statistics.examined import GENERAL, examined, game

NAMES = ("Ana", "[red]", "日本太郎", "José María de la Concepción")
WIDE = Screen(width=UNLIMITED, color=False, marks=UNICODE)
NARROW = Screen(width=40, color=False, marks=UNICODE)


def played(count: int, names: tuple[str, ...] = NAMES) -> ExaminedGames:
    """Return that many games of two kinds. Each player is ten points better than the next."""
    games = []
    for number in range(1, count + 1):
        rules, swing = GENERAL if number % 3 else house("general", "bonus=10"), (-30, 30, -10, 10)[number % 4]
        totals = {name: 150 + swing - 10 * place for place, name in enumerate(names)}
        games.append(game(number, names[:1], totals, rules))
    entries = [
        entry
        for name in names
        for entry in (
            Scored(player=name, dice=(6, 6, 6, 1, 2), roll=3, category="sixes", points=18),
            Scored(player=name, dice=(1, 2, 3, 4, 5), roll=1, category="straight", points=25),
            Scratched(player=name, dice=None, roll=3, category="ones"),
        )
    ]
    return examined(*games, entries=[entries] * count, unfinished=2, undone=1)


def shown(screen: Screen, count: int = 9, player: str | None = None, *, luck: bool = False) -> list[str]:
    found = played(count)
    judged = {
        (number, name): Luck(luck=-3.2, mistakes=1.1) for number in range(1, count + 1) for name in NAMES
    }
    figures = stats(found, player, (lambda _: judged) if luck else None)
    answers = (figures, records(found), versus(found, NAMES[:3]))
    return [as_text(drawn(each, found, screen), screen) for each in answers]


@cases("screen", [WIDE, NARROW, Screen(width=30, color=False, marks=ASCII)])
@cases("player", [None, *NAMES])
def test_everything_fits_the_screen(screen: Screen, player: str | None) -> None:
    for told in shown(screen, player=player, luck=True):
        assert max(map(cell_len, told.splitlines())) <= screen.width
        assert "\x1b" not in told


def test_a_terminal_without_unicode_gets_none() -> None:
    for told in shown(Screen(width=60, color=False, marks=ASCII), player="Ana"):
        assert re.sub("日本太郎|José María de la Concepción", "", told).isascii()


def test_names_are_only_text() -> None:
    of_all, _, of_pairs = shown(WIDE)
    assert "[red]" in of_all
    assert "[red]" in of_pairs


def test_a_screen_in_colour_says_nothing_more() -> None:
    coloured = shown(Screen(width=80, color=True, marks=UNICODE), player="Ana")
    plain = shown(Screen(width=80, color=False, marks=UNICODE), player="Ana")
    assert [re.sub(r"\x1b\[[\d;]*m", "", told) for told in coloured] == plain


def test_what_chance_may_have_done_is_marked_so() -> None:
    assert "too few games to tell" in shown(WIDE, count=4)[0]
    assert "unlikely to be chance" not in shown(WIDE, count=4)[0]
    assert "unlikely to be chance: Ana scores" in shown(WIDE, count=400)[0]
    assert (
        "Ana is ahead more often: too few games to tell; chance would do that 12% of the time"
        in shown(WIDE, count=4)[2]
    )
    assert (
        "Ana is ahead more often: unlikely to be chance, which would do that 1 time in 256"
        in shown(WIDE, 9)[2]
    )


def test_nobody_is_0_point_0_ahead() -> None:
    games = [
        game(number, ["Ana"], {"Ana": 150 + number % 2, "Beto": 150 + number % 2, "Cora": 140 - number})
        for number in range(1, 9)
    ]
    found = examined(*games)
    told = [as_text(drawn(each, found, WIDE), WIDE) for each in (stats(found), stats(found, "Beto"))]
    told.append(as_text(drawn(versus(found, ["Ana", "Beto"]), found, WIDE), WIDE))
    assert "Ana and Beto have the same mean\n" in told[0]
    assert "15.0 more than Cora" in told[0]
    assert "Ana has the same mean\n" in told[1]
    assert not any(re.search(r"\b0\.0 (points )?(a game )?more", each) for each in told)


def test_what_is_left_out_is_counted_aloud() -> None:
    for told in shown(WIDE):
        assert told.endswith("not counted: 2 unfinished games, 1 undone entry\n")


def test_one_player_has_a_histogram_whose_bars_add_up_to_the_games() -> None:
    output = shown(NARROW, count=30, player="Ana")[0]
    bars = re.findall(r"^ *\d+ to \d+ +(\d+)", output, re.MULTILINE)
    assert sum(map(int, bars)) == 30
    assert "█" in output


def test_turns_of_which_the_keeping_is_known_are_those_of_the_player_who_was_asked_for() -> None:
    found = played(3)
    judged = {
        (number, name): Luck(luck=0, mistakes=0, keeping=-1.0, keeping_turns=2 if name == "Ana" else 5)
        for number in range(1, 4)
        for name in NAMES
    }
    for player, turns in (("Ana", 6), (None, 6 + 3 * 5 * 3)):
        answer = as_text(drawn(stats(found, player, lambda _: judged), found, WIDE), WIDE)
        assert f"keeping: per game, from {turns} turns with known throws\n" in answer
