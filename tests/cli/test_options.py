"""Every option of every command, in every mode, changes the answer or the saved data, or is refused."""

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from generala_cli.cli.app import build
from generala_cli.cli.commands import BELOW, COMMANDS, ROOT
from generala_cli.packages import Command
from tests.cases import cases
from tests.cli.every import BACKUP, EDITING, PATHS, mostly_slow, working
from tests.cli.every import Path as CommandPath
from tests.cli.program import Generala, files_below

LOOKS = {"--json", "--color", "--language", "--no-pager", "--help"}
"""Options about the look of an answer, which go with every answer."""
MODES: Mapping[str, tuple[str, ...]] = {
    "": ("",),
    "new": (
        "new Cora Dani Eva Fito",
        "new Cora Dani Eva Fito --stake 1",
        "new Cora Dani Eva --team Cora+Dani --team Eva --uneven",
    ),
    "score": ("score 44441 --roll 3", "score 44 --threw 44126:44 --threw 425:444", "score 66611"),
    "scratch": ("scratch ones",),
    "undo": ("undo",),
    "redo": ("redo",),
    "amend": ("amend 1 55544", "amend 1 --scratch --as ones"),
    "rename": ("rename Beto Berta", "rename Beto full --exactly", "rename --label friday"),
    "leave": ("leave Beto",),
    "join": ("join Eva", "join full --exactly"),
    "end": ("end",),
    "stake": ("stake 0.05",),
    "sheet": ("sheet", "sheet 2", "sheet --blank", "sheet --blank --html", "sheet 2 --blank"),
    "standings": ("standings",),
    "payouts": ("payouts",),
    "log": ("log",),
    "advise": ("advise 44126 --roll 2", "advise 44126 --rules general", "advise 44126 --filled ones=3"),
    "odds": ("odds", "odds --rules general", "odds --players 3"),
    "review": (
        "review 1",
        "review 1 --svg {home}/new.svg",
        "review 1 --svg {home}/it.svg",
        "review 1 --to win",
    ),
    "train": ("train Ana --json", "train Ana --rules general --json"),
    "games": ("games",),
    "use": ("use 1",),
    "rematch": ("rematch", "rematch 1"),
    "delete": ("delete 1", "delete 1 --yes"),
    "export": (
        "export 2 --format csv",
        "export 1 --format csv",
        "export --all --format csv",
        "export --all --format generala",
        "export --since 2 --format ndjson",
        "export 1 -o {home}/new.csv",
        "export 1 -o {home}/it.csv",
    ),
    "import": (f"import {BACKUP}",),
    "sync": ("sync {home}/user/shared --as laptop",),
    "tournament new": (
        "tournament new Copa Ana Beto Cora Dani Eva Fito --seed 1",
        "tournament new Copa Ana Beto Cora Dani Eva Fito --seed 1 --by totals",
        "tournament new Copa Ana Beto Cora Dani Eva Fito --seed 1 --entry-fee 5 --unit USD",
        "tournament new Copa Ana Beto Cora Dani Eva Fito --seed 1 --seating fixed",
        "tournament new Copa Ana Beto Cora Dani Eva Fito --seed 1 --stake 1",
        "tournament new Liga Ana Beto Cora Dani Eva Fito --seed 1",
    ),
    "tournament seat": ("tournament seat",),
    "tournament tables": ("tournament tables", "tournament tables 1", "tournament tables --format csv"),
    "tournament standings": ("tournament standings", "tournament standings --format csv"),
    "tournament print": ("tournament print --html",),
    "tournament final": ("tournament final 3",),
    "tournament add": ("tournament add Gus",),
    "tournament drop": ("tournament drop Eva",),
    "tournament fix": ("tournament fix Ana --table 1", "tournament fix Ana --any"),
    "tournament move": (
        "tournament move Ana Beto --tournament 1",
        "tournament move Cora --table 1 --tournament 1",
    ),
    "tournament paid": ("tournament paid Ana",),
    "tournament log": ("tournament log",),
    "tournament undo": ("tournament undo", "tournament undo 1", "tournament undo --event 1"),
    "tournament redo": ("tournament redo", "tournament redo --event 4"),
    "tournament end": ("tournament end --tournament 2",),
    "tournament delete": ("tournament delete Liga --yes",),
    "tournament list": ("tournament list",),
    "ledger": (
        "ledger",
        "ledger --payments",
        "ledger --why Ana Beto",
        "ledger --settle --yes",
        "ledger --fewest",
    ),
    "pay": ("pay Beto Ana 3 --unit drink", "pay Beto Ana 3", "pay Ana pot 5", "pay --undo"),
    "players same": ("players same Gus Beto",),
    "players apart": ("players apart Anita",),
    "league": (
        "league",
        "league Liga",
        "league Liga --by totals",
        "league Liga --head-start",
        "league Liga --format csv",
        "league Liga --best 1",
    ),
    "stats": (
        "stats",
        "stats Ana",
        "stats --dice",
        "stats --luck",
        "stats --svg {home}/new.svg",
        "stats --svg {home}/it.svg",
    ),
    "records": ("records",),
    "versus": ("versus Ana Beto",),
    "check": ("check 55533", "check 55533 --rules kniffel"),
    "rules show": ("rules show", "rules show general", "rules show --toml", "rules show general --toml"),
    "rules new": ("rules new quinta", "rules new quinta --edit"),
    "rules edit": ("rules edit villa", "rules edit casa --draft take"),
    "rules check": ("rules check casa",),
    "doctor": (
        "doctor",
        "doctor 1",
        "doctor 8",
        "doctor 8 --take this",
        "doctor --restore 1",
        "doctor --accept 2",
        "doctor --cache",
        "doctor --empty-cache",
    ),
    "completion": ("completion bash", "completion bash --install"),
}
VALUES: Mapping[str, tuple[str, ...]] = {
    "--accept": ("2",),
    "--as": ("fours", "desk"),
    "--back": ("Dani",),
    "--best": ("1",),
    "--by": ("totals", "places"),
    "--count": ("1",),
    "--date": ("2026-11-01",),
    "--draft": ("take", "drop"),
    "--entry-fee": ("5",),
    "--event": ("1", "2", "3"),
    "--filled": ("ones=3",),
    "--final": ("3",),
    "--first": ("Beto",),
    "--format": ("csv", "hledger"),
    "--from": ("general",),
    "--game": ("4", "1"),
    "--instant-value": ("500",),
    "--label": ("monday",),
    "--method": ("pot",),
    "--name": ("Copa",),
    "--note": ("bar",),
    "--odd-table": ("bottom", "top"),
    "--opening": ("Ana=11111",),
    "--output": ("{home}/other.csv",),
    "--payout": ("pot", "pairwise"),
    "--player": ("Beto", "Zoe"),
    "--players": ("3", "{home}/names.txt"),
    "--points": ("9,1,0,0", "9,1,0"),
    "--prizes": ("60,40",),
    "--restore": ("1",),
    "--roll": ("1", "2"),
    "--rounds": ("2",),
    "--rules": ("kniffel", "general"),
    "--seating": ("standings", "fixed"),
    "--seed": ("7", "8"),
    "--set": ("bonus=10", "throws=2"),
    "--since": ("2", "2099-01-01"),
    "--spares": ("1",),
    "--stake": ("3",),
    "--svg": ("{home}/other.svg",),
    "--table": ("2",),
    "--tables-of": ("3",),
    "--take": ("that",),
    "--team": ("Cora+Dani", "Cora+Dani --team Eva+Fito"),
    "--threw": ("44126:44", "55126:55"),
    "--to": ("win", "payout"),
    "--top": ("1",),
    "--tournament": ("1",),
    "--unit": ("drink", "EUR"),
    "--until": ("1", "2020-01-01"),
    "--why": ("Ana Beto",),
    "--with": ("Cora",),
}


PERMITS = {"--yes", "--exactly", "--plain-names", "--uneven", "--draft"}
"""Options that allow something: they change nothing if nothing is in the way, and something in one mode."""
IMPLIED = {
    "league Liga --format csv --head-start",  # rows always have the head start
    "rules new quinta --dry-run --edit",  # there is no file to open
    "train Ana --json --quiet",  # it hides only the progress of long work
    "train Ana --rules general --json --quiet",
    "tournament end --tournament 2 --yes",  # the games of all tables are here
}
"""Lines whose last option changes nothing for a reason."""


class Mode(Struct, frozen=True):
    """A line to which options are added."""

    name: str
    line: str
    command: Command


def _modes() -> Iterator[Mode]:
    for name, command in {"": ROOT, **COMMANDS}.items():
        yield from (Mode(name, line, command) for line in MODES.get(name, ()))
        for below, deeper in BELOW.get(name, {}).items():
            path = f"{name} {below}"
            yield from (Mode(path, line, deeper) for line in MODES.get(path, ()))


def _run(generala: Generala, *lines: str) -> None:
    for line in lines:
        result = generala(*shlex.split(line), environment=EDITING)
        assert result.code == 0, (line, result)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which every option has an effect."""
    generala = Generala(home=tmp_path_factory.mktemp("house"))
    _run(
        generala,
        "new Ana Beto --rules general --stake 0.01 --unit USD --name Liga",
        "44126:44 425:444 44",
        "55533 full",
        "66666 1",
        "new Ana Beto Cora --rules general --stake 1 --unit drink --name '=Liga'",
        "66612:666 52 sixes",
        "55533 full",
        "66666 1",
        "new Ana Cora --rules general --stake 0.01 --unit USD",
        "44421 ones",
        "66666 1",
        "pay Beto Ana 0.1 --unit USD",
        "players same Ana Anita",
        "rules new casa --from general",
        "rules new villa",
        "tournament new Liga Ana Beto Cora Dani Eva Fito --seed 1 --tables-of 3",
        "tournament seat",
        "tournament new Liga-2 Ana Beto Cora Dani Eva Fito --seed 2 --tables-of 3 --rules general --rounds 2"
        " --entry-fee 5 --unit USD",
        "tournament seat",
        "tournament drop Fito",
        "tournament add Fito",
        "tournament add Gus",
        "tournament undo",
        "66666 1 --game 6",
        "66666 1 --game 7",
        "new Ana Beto Cora Dani --rules general --stake 0.05 --unit USD",
        "55533 full",
        "leave Dani",
        "66612 sixes",
        "12345",
        "x ones",
        "undo",
    )
    (generala.home / "names.txt").write_text("Ana\nBeto\nGus\n")
    for name in ("it.svg", "it.csv"):
        (generala.home / name).write_text("")
    (generala.rule_files / ".casa.draft-999999-ab.toml").write_text("x")
    (generala.home / "user" / "shared").mkdir(parents=True)
    return generala.home


@pytest.fixture(scope="session")
def broken_house(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a damaged game 1, a game 2 edited by hand, and two versions of game 8."""
    home = tmp_path_factory.mktemp("broken") / "home"
    shutil.copytree(house, home)
    generala = Generala(home=home)
    game = generala.game(1)
    game.write_bytes(game.read_bytes()[:-20])
    game = generala.game(2)
    game.write_bytes(game.read_bytes().replace(b"drink", b"round"))
    game = generala.game(8)
    _run(generala, "44442 1 --game 8")
    other = game.read_bytes()
    _run(generala, "undo --game 8", "66661 1 --game 8")
    game.with_name("game (1).json").write_bytes(other)
    return home


def _seen(home: Path, line: str) -> tuple[object, ...]:
    """Run a line and return everything visible, except times and random ids."""
    result = Generala(home=home)(*shlex.split(line.format(home=home)), environment=EDITING)
    files = {
        name: re.sub(rb'"(id|checksum|at|started)":"[^"]*"', b"", data or b"").replace(bytes(home), b"")
        for name, data in files_below(home).items()
        if not re.search(r"marks/|\.lock|cache/", name)
    }
    texts = (re.sub(r"\d\d:\d\d", "", text.replace(str(home), "")) for text in (result.out, result.err))
    return result.code, *texts, files


def _options(mode: Mode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the options that may be added to a line, each with the values to try."""
    for parameter in build(mode.name.split()[-1] if mode.name else "generala", mode.command).params:
        names = {*parameter.opts}
        is_option = parameter.param_type_name == "option" and not names & {*LOOKS, *shlex.split(mode.line)}
        if is_option and (mode.command.writes or parameter.name != "quiet"):  # which silences progress too
            yield parameter.opts[0], ("",) if parameter.is_flag else VALUES[parameter.opts[0]]


QUICK = {"completion", "tournament undo", "players same"}


@pytest.mark.thinned(every=3, slow=2)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in MODES],
)
def test_every_option_has_an_effect_in_every_mode_or_is_refused(
    name: str, house: Path, broken_house: Path, tmp_path: Path
) -> None:
    homes = iter(range(1_000))

    def seen(mode: Mode, line: str) -> tuple[object, ...]:
        home = tmp_path / str(next(homes))
        shutil.copytree(broken_house if name == "doctor" else house, home)
        found = _seen(home, line)
        shutil.rmtree(home)
        return found

    ignored, used = set(), set()
    for mode in (each for each in _modes() if each.name == name):
        plain = seen(mode, mode.line)
        used.update(shlex.split(mode.line))
        assert plain[0] in (0, 2, 3), (mode.line, plain[:3])
        for option, values in _options(mode):
            tried = (seen(mode, f"{mode.line} {option} {value}".strip()) for value in values)
            if any(each[0] == 2 or each != plain for each in tried):
                used.add(option)
            elif f"{mode.line} {option}" not in IMPLIED:
                ignored.add((mode.line, option))
    assert {pair for pair in ignored if pair[1] not in PERMITS or pair[1] not in used} == set()


def test_every_command_with_options_is_tried() -> None:
    tried = {mode.name for mode in _modes()}
    left_out = {" ".join(path) for path in PATHS} - tried
    for path in left_out:
        table = BELOW[path.split()[0]] if " " in path else COMMANDS
        command = table[path.split()[-1]]
        names = [name for each in build(path.split()[-1], command).params for name in each.opts]
        assert {name for name in names if name.startswith("--")} <= {*LOOKS, "--quiet"}, path


@pytest.mark.complete
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "ledger --payments --fewest",
            "--fewest and --payments cannot be combined; remove --fewest or --payments",
        ),
        (
            "ledger --why Ana Beto --fewest",
            "--fewest and --why cannot be combined; remove --fewest or --why",
        ),
        ("ledger --yes", "--yes works only with --settle; remove --yes"),
        ("-q ledger", "-q works only with --settle; remove -q"),
        ("completion bash -q", "-q works only with --install; remove -q"),
        ("-q train Ana", "-q works only with --json; remove -q"),
        ("play -q", "-q has no effect here; remove -q"),
        ("league --by totals", "--by works only with NAME; add NAME or remove --by"),
        ("tournament undo 3 --event 2", "3 and --event cannot be combined; remove 3 or --event"),
        ("play --plain --to nonsense", "--plain and --to cannot be combined; remove --to"),
        ("play --to win", "--to works only with --coach; add --coach or remove --to"),
        ("board --yes", "--yes works only with --qr; remove --yes"),
        (
            "board --tournament --odds",
            "--tournament and --odds cannot be combined; remove --tournament or --odds",
        ),
        (
            "stats --dice --luck --yes",
            "--dice and --luck cannot be combined; remove --dice and --yes or --luck and --yes",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_what_to_type(
    generala: Generala, line: str, says: str
) -> None:
    result = generala(*line.split())
    assert (result.code, result.out, result.err) == (2, "", f"generala: {says}\n")
    assert generala.files() == {}


READS = [path for path in PATHS if not (BELOW[path[0]] if len(path) > 1 else COMMANDS)[path[-1]].writes]


@pytest.mark.parametrize("path", mostly_slow(READS))
def test_quiet_silences_no_answer(played: Generala, path: CommandPath) -> None:
    assert played(*working(path), "-q").out == played(*working(path)).out


@cases(
    "line",
    ["ledger", "ledger --payments", "doctor", "doctor 1", "doctor --cache", "completion zsh", "train Ana"],
)
def test_where_nothing_is_written_quiet_is_refused(played: Generala, line: str) -> None:
    for typed in ((*line.split(), "-q"), ("-q", *line.split())):
        result = played(*typed)
        assert (result.code, result.out) == (2, ""), typed
        assert "-q" in result.err
