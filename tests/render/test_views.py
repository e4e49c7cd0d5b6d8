"""Every view as it is shown: it fits the screen, loses nothing off a terminal, and names are only text."""

import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from generala_cli.cli import running
from generala_cli.game.events import Agreed
from generala_cli.game.game import Column, Game, new_game
from generala_cli.render import tables
from generala_cli.render.language import speak
from generala_cli.render.lines import served_name
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Screen, as_text
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.describing import describe_requirement
from generala_cli.text import safe
from tests.cases import cases
from tests.game.table import Table, cached_rules
from tests.languages.pseudo import spoken
from tests.removed import skip_if_removed
from tests.sizes import thinned

Shown = Callable[..., str]
NAMES = ("Ana", "[red]", "[/]", ":smile:", "日本太郎", "👩‍👩‍👧‍👦", "José María de la Concepción")
VIEWS = ("sheet", "standings", "payouts", "log", "log --all", "games", "")
DICE = {
    "crag": ("664", "661", "123"),
    "maxi-yatzy": ("555333", "123456", "444422"),
    "balut": ("44433", "55123", "44442"),
    "balut-stc": ("44433", "55123", "44442"),
    "": ("55533", "12345", "44442"),
}
FREE = {"balut", "balut-stc", "golden-fifty", "yacht", "crag", "kniffel", "yahtzee", "yatzy", "maxi-yatzy"}
"""A first throw pays nothing of its own in these."""
every_rule_set = pytest.mark.parametrize("rules", thinned(zip(built_in_names()), every=8))
BLANKS = str.maketrans("▸│", "  ")
ALIKE = (
    tuple(f"Player{number}" for number in range(11, 19)),
    tuple(f"Maximilian{end}" for end in ("", "a", "e", "o", "us", "usa", "-1", "-2")),
    ("日本太郎", "日本花子", "日本", "👩‍👩‍👧‍👦", "👩‍👩‍👧", "אברהם", "אברם", "[red]"),
)
ESCAPES = re.compile("\x1b\\[[0-9;]*m")
letters = st.text(st.sampled_from("ab日👍é[]/:\\#^"), min_size=1, max_size=8)
hostile = st.lists(letters.map(lambda name: f"x{name}x"), min_size=2, max_size=6, unique_by=str.casefold)


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Run a command in this process. Return its output on a screen."""
    monkeypatch.setenv("GENERALA_ROOT", str(tmp_path))
    now = Screen(width=UNLIMITED, color=False, marks=UNICODE)

    def run(
        *typed: str,
        width: int = UNLIMITED,
        height: int = UNLIMITED,
        color: bool = False,
        marks: object = UNICODE,
    ) -> str:
        nonlocal now
        skip_if_removed(typed)
        shown_marks = ASCII if marks is ASCII else UNICODE
        now = Screen(width=width, height=height, color=color, marks=shown_marks)
        printed = StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            code = running.run(typed)
        assert code == 0, printed.getvalue()
        return printed.getvalue()

    monkeypatch.setattr(running, "screen_of", lambda *_: now)
    return run


def play(shown: Shown, rules: str, names: tuple[str, ...] = NAMES, *more: str) -> None:
    """A few turns of everyone: a first throw, another, a scratch."""
    shown("new", *names, "--rules", rules, *more)
    first, second, third = DICE.get(rules, DICE[""])
    shown("score", first, "--roll", "1", "--as", "choice" if rules == "yacht" else first[0])
    shown("score", second, "--roll", "2", "--as", second[0])
    scratched = "sixes" if "balut" in rules else cached_rules(rules).categories[1].id
    shown("scratch", scratched, third)


@pytest.mark.thinned(every=3)
@every_rule_set
def test_no_line_is_wider_than_the_screen(shown: Shown, rules: str) -> None:
    play(shown, rules, NAMES, "--stake", "0.015", "--unit", "USD")
    for view in (*VIEWS, f"rules show {rules}", "rules"):
        for width in (30, 40, 60, 80, 120):
            lines = shown(*view.split(), width=width).splitlines()
            assert [line for line in lines if cell_len(line) > width] == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", thinned(zip(["general", "golden-fifty", "kniffel"]), every=3))
def test_no_line_is_wider_in_a_language_of_longer_words(shown: Shown, rules: str) -> None:
    play(shown, rules, NAMES, "--stake", "0.015", "--unit", "USD")
    with pytest.MonkeyPatch.context() as patched, spoken() as environment:
        patched.setenv(*environment.popitem())
        for view in (*VIEWS, f"rules show {rules}", "rules", "ledger", "stats"):
            for width in (40, 60, 80, 120):
                lines = shown(*view.split(), width=width).splitlines()
                assert [line for line in lines if cell_len(line) > width] == []


@every_rule_set
def test_nothing_is_cut_and_no_line_padded_off_a_terminal(shown: Shown, rules: str) -> None:
    play(shown, rules)
    for view in VIEWS:
        output = shown(*view.split())
        assert all(name in output for name in (NAMES if not view.startswith("log") else NAMES[:3]))
        assert "…" not in output
        assert all(line == line.rstrip() for line in output.splitlines())


@pytest.mark.parametrize("rules", thinned(zip(["generala", "golden-fifty", "kniffel"]), every=3))
def test_colour_says_nothing_of_its_own(shown: Shown, rules: str) -> None:
    play(shown, rules)
    for view in (*VIEWS, f"rules show {rules}"):
        for width in (40, UNLIMITED):
            coloured = shown(*view.split(), width=width, color=True)
            assert ESCAPES.sub("", coloured) == shown(*view.split(), width=width)


@pytest.mark.parametrize("rules", thinned(zip(["generala", "golden-fifty", "kniffel"]), every=3))
def test_marks_are_ascii_where_the_terminal_is(shown: Shown, rules: str) -> None:
    play(shown, rules, ("Ana Maria Magdalena", "Beto"))
    for view in VIEWS:
        for width in (30, 80, UNLIMITED):
            output = shown(*view.split(), width=width, marks=ASCII)
            assert output.isascii()
            assert len(output.splitlines()) == len(shown(*view.split(), width=width).splitlines())


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=hostile)
def test_names_are_only_text(shown: Shown, names: list[str]) -> None:
    shown("new", *names)
    for view in ("sheet", "standings", "payouts", "games"):
        whole = shown(view)
        assert all(safe(name) in whole for name in names)
        for width in (40, 80):
            assert all(cell_len(line) <= width for line in shown(view, width=width).splitlines())


@pytest.mark.slow
def test_every_player_has_a_column_on_any_screen(shown: Shown) -> None:
    names = [f"Player{number}" for number in range(1, 51)]
    shown("new", *names)
    for width in (30, 80, 200, UNLIMITED):
        heads = [line for line in shown("sheet", width=width).splitlines() if line.startswith("     ")]
        columns = [head for line in heads for head in line.translate(BLANKS).split()]
        assert len(columns) == len(set(columns)) == len(names)


@pytest.mark.thinned(every=3, slow=3)
@pytest.mark.parametrize("names", ALIKE)
@every_rule_set
def test_eight_players_are_told_apart_on_a_phone(shown: Shown, rules: str, names: tuple[str, ...]) -> None:
    """Forty columns and twenty lines, of which the prompt takes one; the whole name is said once."""
    play(shown, rules, names)
    if cached_rules(rules).has_rows:
        return  # rows of boxes need two blocks of four
    heading, heads, *lines = shown(width=40, height=20).splitlines()
    assert len(set(heads.translate(BLANKS).split())) == 8
    assert len(lines) <= (26 if rules == "maxi-yatzy" else 19 if rules == "yatzy" else 18)
    assert all(cell_len(line) <= 40 for line in (heading, heads, *lines))
    assert any(line.startswith(f"{names[3]} is next") for line in lines[-2:])
    (total,) = (line for line in lines if line.startswith("total"))
    assert len(total.split()) == 1 + 8


@every_rule_set
def test_a_sheet_is_ruled_where_all_of_it_has_room(shown: Shown, rules: str) -> None:
    play(shown, rules, ("Ana", "Beto", "Cora", "Dani"))
    whole = shown(width=100, height=40)
    assert whole == shown()
    lines = len(whole.splitlines())
    assert shown(width=100, height=lines + 1) == whole
    compact = shown(width=100, height=lines)
    assert len(compact.splitlines()) <= lines - 6
    assert "│" not in compact
    assert all(
        name in compact for name in ("  Ana", "  Beto", "high straight" if rules == "crag" else "house")
    )


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(("rules", "pays"), [(name, name not in FREE) for name in built_in_names()])
def test_a_first_throw_is_marked_where_it_pays(shown: Shown, rules: str, pays: bool) -> None:
    play(shown, rules)
    words = str(served_name(cached_rules(rules)))  # "mano" in a game with turning
    assert (words in shown("undo", "3")) == pays
    shown("redo", "3")
    sheet = shown("sheet")
    assert (f"* {words}" in sheet) == pays
    assert ("*" in sheet.replace(f"* {words}", "")) == pays


def test_a_first_throw_pays_where_a_house_says_so(shown: Shown) -> None:
    names = ("Ana", "Beto")
    settings = ("--set", "instant-win=never", "--set", "bonus=0")
    play(shown, "generala", names, *settings)
    assert "first throw" not in shown("sheet")
    play(shown, "generala", names, *settings[:2])
    assert "* first throw" in shown("sheet")
    play(shown, "generala", names, *settings[2:])
    assert "* first throw" in shown("sheet")


@given(
    names=st.lists(letters, min_size=1, max_size=12, unique_by=str.casefold),
    rules=st.sampled_from(built_in_names()),
    width=st.integers(20, 120),
    height=st.integers(5, 40),
)
def test_boxes_of_any_players_fit_a_place_of_any_size(
    names: list[str], rules: str, width: int, height: int
) -> None:
    game = new_game(Agreed(rules=cached_rules(rules), players=tuple(names)))
    screen = Screen(width=width, height=height, color=False, marks=UNICODE)
    lines = as_text(tables.boxes(game, screen, names), screen).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    totals = [line for line in lines if line.startswith("total")]
    assert sum(line.count("0") for line in totals) == len(names)


plain_names = st.text(st.sampled_from("abcdefgh"), min_size=1, max_size=12)


def blocks(game: Game, screen: Screen) -> list[list[str]]:
    """The lines of each table that its boxes are drawn in."""
    lines = as_text(tables.boxes(game, screen), screen).split("\n\n")
    return [[line for line in block.splitlines() if "─" not in line] for block in lines]


def ends(line: str) -> list[int]:
    """Where each word of a line ends. The mark of the player to throw may fill the gap between two names."""
    return [word.end() for word in re.finditer(r"[^ │▸]+", line)]


@given(
    names=st.lists(plain_names, min_size=2, max_size=10, unique=True),
    rules=st.sampled_from(("general", "kniffel", "yacht")),
    width=st.integers(30, 200),
    height=st.sampled_from((20, UNLIMITED - 1)),
    language=st.sampled_from(("en", "es", "de", "pt")),
)
def test_names_never_touch_and_columns_stand_still(
    names: list[str], rules: str, width: int, height: int, language: str
) -> None:
    screen = Screen(width=width, height=height, color=False, marks=UNICODE)
    game = new_game(Agreed(rules=cached_rules(rules), players=tuple(names)))
    columns = {name: Column(turns=number) for number, name in enumerate(reversed(game.seats))}
    speak(language)
    try:
        first = blocks(game, screen)
        later = blocks(replace(game, columns=columns), screen)
    finally:
        speak("en")
    assert sum(len(ends(head)) for head, *_ in first) == len(names)
    for (head, *rows), (other_head, *other_rows) in zip(first, later, strict=True):
        count = len(ends(head))
        assert ends(other_head) == ends(head)
        assert other_rows == rows
        for row in rows:
            starts = zip(ends(row)[-count:], ends(head), strict=True)
            assert all(box in (name, name - 1) for box, name in starts)


@cases(("width", "shown"), [(80, "0/63"), (60, "0/63"), (40, "0/")])
def test_an_upper_bonus_shows_how_far_it_is_on_any_screen(width: int, shown: str) -> None:
    game = new_game(Agreed(rules=cached_rules("kniffel"), players=tuple("abcdefgh")))
    (lines,) = blocks(game, Screen(width=width, height=20, color=False, marks=UNICODE))
    (boxes,) = (line.replace("│", " ").split()[-8:] for line in lines if "bonus" in line)
    assert boxes == [shown] * 8


@every_rule_set
def test_rules_stand_below_each_other_where_there_is_no_room_for_columns(shown: Shown, rules: str) -> None:
    wide = " ".join(shown("rules", "show", rules).split())
    for width in (30, 40):
        lines = shown("rules", "show", rules, width=width).splitlines()
        assert max(map(cell_len, lines)) <= width
        narrow = " ".join(" ".join(lines).split())
        for category in cached_rules(rules).categories:
            assert category.name in narrow
            assert (
                category.number is not None
                or str(describe_requirement(category, cached_rules(rules))) in narrow
            )
        assert narrow.partition("throws a turn.")[2][:400] == wide.partition("throws a turn.")[2][:400]


def test_the_best_of_a_hand_fits_a_phone(shown: Shown) -> None:
    lines = shown("check", "55555", "--rules", "kniffel", "--roll", "1", width=30, height=20).splitlines()
    assert (lines[1:4], len(lines)) == (["Kniffel", "kniffel          50", "fives            25"], 7)


@cases("width", [60, 80, UNLIMITED])
@cases(("topic", "column"), [("environment", 19), ("exit-codes", 5)])
def test_topics_keep_their_columns(shown: Shown, topic: str, column: int, width: int) -> None:
    paragraphs = shown("help", topic, width=width).split("\n\n")
    (table,) = (each for each in paragraphs if each.startswith(("GENERALA_ROOT", "  0")))
    assert all(line[column - 1] == " " != line[column] for line in table.splitlines())
    assert all(cell_len(line) <= width for each in paragraphs for line in each.splitlines())
    assert " ".join(table.split()) in " ".join(shown("help", topic).split())


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("width", [30, 40, 60])
def test_a_review_goes_on_under_its_own_column(shown: Shown, width: int) -> None:
    play(shown, "general", ("Maximiliana", "José María", "Beto"))
    _, *lines = shown("review", width=width).splitlines()
    assert all(re.match(r" {2}\d {2}\S| {5}\S", line) for line in lines[: lines.index("")])
    assert max(map(cell_len, lines)) <= width


def test_a_list_of_games_shows_every_total(shown: Shown) -> None:
    shown("new", *NAMES, "--rules", "general", "--name", "friday")
    for name, dice in zip(
        NAMES, ("66661", "66662", "66663", "66664", "66665", "55551", "55552"), strict=True
    ):
        shown("score", dice, "--as", "sixes" if dice.startswith("6") else "fives", "--player", name)
    assert ":smile: 24, 日本太郎 24" in shown("games")
    for width in (30, 40):
        lines = shown("games", width=width).splitlines()
        assert max(map(cell_len, lines)) <= width
        output = " ".join(line.strip() for line in lines[1:])
        assert re.findall(r" (2[04])(?:,| Ana)", output) == ["24"] * 5 + ["20"] * 2


def test_a_hand_is_offered_in_the_first_open_box_of_its_row() -> None:
    table = Table(cached_rules("balut"), "Ana", "Beto")
    table.score("Ana", "44412", "fours")
    table.scratch("Beto", "balut")
    game, screen = table.game, Screen(width=80, height=UNLIMITED, color=False, marks=UNICODE)
    styles = dict.fromkeys((each.id for each in game.rules.categories), "")
    offers = tables.Offers(player="Ana", boxes={"fours": Text("+16")}, row_styles=styles)
    shown = as_text(tables.boxes(game, screen, ("Ana", "Beto"), offers), screen)
    assert next(line.split() for line in shown.splitlines() if line.startswith("fours")) == [
        *("fours", "│", "12", "+16", "·", "·", "12/52"),
        *("│", "·", "·", "·", "·", "0/52"),
    ]
