"""Completion: every kind of candidate, from the functions and from the program, and the shells' files."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from generala_cli.cli import completers, completion
from generala_cli.cli.app import build, root
from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.completion import FILES, candidates, complete, described_candidates
from generala_cli.cli.running import run
from generala_cli.rules.catalog import built_in, built_in_names, other_names
from generala_cli.rules.options import options_of
from tests.cases import cases
from tests.cli.program import PROGRAM

Play = Callable[..., str]
COMPLETIONS = Path(__file__).parents[2] / "completions"
SHORT = ["--quiet", "-q", "--color", "--language", "-h", "--help"]
OPEN = ["ones", "twos", "threes", "fours", "fives", "sixes", "straight"]
BIG = ["full-house", "four-of-a-kind", "generala"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GENERALA_ROOT", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str]) -> Play:
    def play(line: str, *more: str) -> str:
        code = run([*line.split(), *more])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return printed.out

    return play


def offered(line: str, *more: str) -> list[str]:
    """Return the candidates for the last word of the line. A space at its end starts a new word."""
    return [*complete([*line.split(" "), *more])]


def program(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*PROGRAM, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.complete
def test_commands() -> None:
    assert offered("") == list(COMMANDS)
    assert offered("sc") == ["score", "scratch", "schema"]
    assert offered("rules ") == list(BELOW["rules"])
    assert offered("players ") == ["list", "same", "apart"]
    assert offered("rules sh") == ["show"]
    assert offered("-") == [
        "--version",
        "-V",
        "--game",
        "--json",
        "--quiet",
        "-q",
        "--no-pager",
        "--color",
        "--language",
        "-h",
        "--help",
    ]
    assert [*complete([])] == list(COMMANDS)


@pytest.mark.skipif("tournament" not in COMMANDS, reason="tournament is not installed")
def test_commands_by_the_words_of_the_language_where_no_english_name_begins_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GENERALA_LANGUAGE", "es")
    assert candidates(["torn"]) == "torneo\n"
    assert candidates(["torneo", "sen"]) == "sentar\n"
    assert candidates(["torneo", "s"]) == "seat\nstandings\n"
    monkeypatch.setenv("GENERALA_LANGUAGE", "en")
    assert candidates(["torn"]) == ""


@cases("line", ["nonsense ", "undo ", "rules nonsense ", "rules path ", "score 5 ", "score --x "])
def test_nothing_where_nothing_is_known(line: str) -> None:
    assert offered(line) == []


@pytest.mark.complete
def test_options_once_each_unless_they_may_be_repeated() -> None:
    common = ["--game", "--json", "--dry-run", "--quiet", "--color", "--language", "--help"]
    assert offered("score 5 5 --") == ["--roll", "--as", "--player", "--threw", *common]
    assert offered("score 5 5 -") == ["--roll", "--as", "--player", "--threw", *common[:3], "-n", *SHORT]
    assert "--roll" not in offered("score 55533 --roll 1 --")
    assert "--roll" not in offered("score 55533 --roll=1 --")
    assert {"--set", "--team", "--opening"} <= set(offered("new A B --set a=1 --team A+B --opening A=1 --"))
    assert offered("rules show general --t") == ["--toml"]
    assert offered("score -- -") == []


@pytest.mark.complete
def test_an_option_before_the_command_does_not_hide_it() -> None:
    assert offered("--color never sco") == ["score"]
    assert offered("--json -q rules --color=auto sh") == ["show"]


@pytest.mark.complete
def test_fixed_values() -> None:
    assert offered("sheet --color ") == ["auto", "always", "never"]
    assert offered("new --payout p") == ["pairwise", "pot"]
    assert offered("payouts --method=l") == ["--method=low-pays"]
    assert offered("completion ") == list(FILES)
    assert offered("export 1 --format m") == ["markdown"]
    assert offered("help e") == ["end", "export", "environment", "exit-codes"]
    assert offered("help sc") == ["score", "scratch", "schema", "screen"]
    assert offered("help rules n") == ["new"]
    assert offered("help score ") == []
    assert offered("payouts --unit d") == ["drink"]
    assert offered("payouts --unit u") == ["USD"]
    assert offered("new --stake ") == []


def test_players_who_may_move(play: Play) -> None:
    play("new Ana Beto", "Maria José", "O'Brien")
    assert offered("score 55533 --player ") == ["Ana", "Beto", "Maria José", "O'Brien"]
    play("score 5 5 5 3 3")
    assert offered("score 55533 --player ") == ["Beto", "Maria José", "O'Brien"]
    assert offered("scratch ones --player=m") == ["--player=Maria José"]
    assert offered("score --player", "María j") == ["Maria José"]


def test_players_who_are_there_or_have_left(play: Play) -> None:
    play("new Ana Beto Cora")
    play("scratch ones")
    play("leave Beto")
    assert offered("rename ") == ["Ana", "Beto", "Cora"]
    assert offered("leave ") == ["Ana", "Cora"]
    assert offered("join ") == offered("rematch --back ") == ["Beto"]
    assert offered("amend 1 --player ") == ["Ana", "Beto", "Cora"]
    assert offered("score 55533 --player ") == ["Cora"]
    assert "pot" in offered("stake 1 --payout ")


def test_what_was_typed_is_never_made_shorter(play: Play) -> None:
    play("new Maria MArta Ana Beto")
    assert offered("score --player mar") == []
    assert offered("score --player mari") == ["Maria"]
    assert offered("score --player ma") == []
    assert offered("score --player M") == ["Maria", "MArta"]


def test_the_open_categories_of_the_player(play: Play) -> None:
    play("new Ana Beto")
    play("score 5 5 5 3 3")
    play("score 5 5 5 3 2 --as fives")
    assert offered("score 55533 --as ") == offered("score 55533 ")[:2] == ["fives", "threes"]
    assert offered("66662 ")[:3] == offered("score 6 6 6 6 2 --as ") == ["four-of-a-kind", "sixes", "twos"]
    assert offered("66662 1 ana t") == offered("66662 ana --as t") == ["twos"]
    assert offered("x ") == [*OPEN, "four-of-a-kind", "generala"]
    assert offered("score 555 --as ") == []
    assert offered("scratch ") == [*OPEN, "four-of-a-kind", "generala"]
    assert offered("scratch --player be f") == ["fours", "full-house", "four-of-a-kind"]
    assert offered("score --as esc") == ["escalera"]
    assert offered("score --as BO") == []
    assert offered("score --player b --as FU") == ["full-house"]


def test_behind_a_hand_whatever_is_not_typed_yet(play: Play) -> None:
    play("new Ana Beto", "Maria José")
    boxes = ["full-house", "fives", "threes"]
    throws, everyone = ["1", "2", "3"], ["Ana", "Beto", "Maria José"]
    assert offered("55533 ") == offered("555 33 ") == [*boxes, *throws, *everyone]
    assert offered("55533 1 ") == offered("55533 --roll 1 ") == [*boxes, *everyone]
    assert offered("55533 full ") == offered("55533 --as full ") == [*throws, *everyone]
    assert offered("55533 beto ") == offered("55533 --player beto ") == [*boxes, *throws]
    assert offered("Beto 55533 ") == [*boxes, *throws]
    assert offered("55533 1 full b") == offered("55533 1 full BE") == ["Beto"]
    assert offered("55533 b") == ["Beto"]  # and no boat
    assert offered("55533 bo") == ["boat"]
    assert offered("55533 1 full M") == offered("score 55533 MARIA") == ["Maria José"]
    assert offered("55533 served full beto ") == []
    assert offered("55533 x ") == [*OPEN, *BIG, *throws, *everyone]
    assert offered("x ones ") == everyone
    assert offered("x ones m") == ["Maria José"]
    assert offered("x ones 55533 ") == offered("5553 ") == offered("55533 nonsense ") == []
    play("new Ana Beto --rules kniffel")
    assert offered("55533 ") == ["full-house", "three-of-a-kind", "chance", "fives", "threes", "Ana", "Beto"]


def test_behind_a_turn_whatever_may_be_corrected(play: Play) -> None:
    play("new Ana Beto")
    play("score 5 5 5 3 3")
    assert offered("amend 1 fu") == ["full-house"]
    assert offered("amend 1 55532 b") == ["Beto"]
    assert {"fives", "1", "Ana"} <= set(offered("amend 1 55532 "))


def described(line: str) -> list[str]:
    return described_candidates(line.split(" ")).splitlines()


def test_the_descriptions_of_candidates(play: Play) -> None:
    play("new Ana Beto --rules general")
    play("score 5 5 5 3 3 --roll 1")
    turn = ["four-of-a-kind\t40 points", "fours\t16 points", "twos\t2 points"]
    throws = ["1\tthrow 1", "2\tthrow 2", "3\tthrow 3"]
    assert described("44442 ") == [*turn, *throws, "Beto"]
    assert described("44442 1 poq") == ["póquer\tfour of a kind, 45 points"]
    assert described("amend ") == ["1\tAna, full house 35, first throw (5 5 5 3 3)"]
    assert described("und") == ["undo\tUndo the last action, or the last N."]
    assert described("sheet --js") == ["--json\tPrint one JSON document."]
    assert described("--language es und") == ["undo\tDeshacer lo último, o las últimas N acciones."]
    assert described("--language es 44442 1 f") == [
        "four-of-a-kind\tpóker, 45 puntos",
        "fours\tcuatros, 16 puntos",
    ]


def test_only_the_next_category_where_they_are_filled_in_order(play: Play) -> None:
    play("new Ana Beto --set fill-order=top-to-bottom")
    assert offered("scratch ") == ["ones"]


@pytest.mark.complete
def test_throws(play: Play) -> None:
    assert offered("check 5 --roll ") == ["1", "2", "3"]
    play("new Ana Beto --set spares=yes")
    assert offered("score --roll ") == ["1", "2", "3"]
    play("score 5 5 5 3 3 --roll 1")
    play("scratch ones")
    assert offered("score --roll ") == ["1", "2", "3", "4", "5"]
    assert offered("amend 1 --roll ") == ["1", "2", "3", "4", "5"]
    assert offered("amend 2 --roll ") == ["1", "2", "3"]
    assert offered("score --roll se") == ["served", "second"]


def test_turns_latest_first_and_what_they_may_become(play: Play) -> None:
    play("new Ana Beto")
    play("score 5 5 5 3 3")
    play("scratch ones")
    play("score 5 5 5 3 2 --as fives")
    assert offered("amend ") == ["3", "2", "1"]
    assert offered("amend 1 --as ") == [name for name in [*OPEN, *BIG] if name != "fives"]
    assert offered("amend 2 --as f") == ["fours", "fives", "full-house", "four-of-a-kind"]
    for wrong in ("0", "4", "-1", "x"):
        assert offered(f"amend {wrong} --as ") == []


@pytest.mark.complete
def test_games_by_number_and_label(play: Play, home: Path) -> None:
    play("new Ana Beto --name", "Friday night")
    play("new Ana Beto")
    play("new Ana Beto --name revenge")
    for command in ("sheet", "standings", "payouts", "log", "use", "rematch", "delete"):
        assert offered(f"{command} ") == ["3", "2", "1", "revenge", "Friday night"]
    assert offered("sheet f") == ["Friday night"]
    assert offered("board ")[:3] == ["3", "2", "1"]
    play("tournament new Copa Ana Beto Cora")
    assert offered("board --tournament ") == ["1", "Copa"]
    assert offered("sheet 1") == ["1"]
    assert offered("sheet 1 ") == []
    (home / "data" / "games" / "3" / "game.json").write_text("{")
    assert offered("sheet ") == ["3", "2", "1", "Friday night"]
    assert offered("score --player ") == []


@pytest.mark.complete
def test_rule_sets_built_in_and_our_own(play: Play) -> None:
    play("rules new casa --from general")
    for line in ("new --rules", "check --rules", "rules new x --from", "rules show", "rules check"):
        assert offered(f"{line} ") == [*built_in_names(), *other_names(), "casa"]
    assert offered("rules show ./ca") == [completers.FILES]
    assert offered("new --rules=./ca") == []
    assert offered("rules edit ") == ["casa"]
    assert offered("rules new ") == []


@pytest.mark.complete
def test_a_shell_offers_its_own_files_where_one_is_asked_for() -> None:
    for line in (
        "import ",
        "-q import ",
        "export --all -o ",
        "review --svg ",
        "tournament new Copa --players ",
    ):
        if next(word for word in line.split() if word[0] != "-") not in COMMANDS:
            continue
        assert offered(line) == [completers.FILES], line
    assert offered("sync ") == [completers.FOLDERS]


@pytest.mark.complete
def test_every_value_that_is_a_file_or_folder_offers_those_of_the_shell() -> None:
    rows = dict(COMMANDS)
    rows |= {f"{group} {name}": row for group, below in BELOW.items() for name, row in below.items()}
    lines = {}
    for path, row in rows.items():
        for each in build(path.split()[-1], row).params:
            wanted = {"FILE": completers.FILES, "FOLDER": completers.FOLDERS}
            kinds = {wanted[word] for word in re.findall(r"[A-Z]+", each.metavar or "") if word in wanted}
            for kind in kinds:
                option = f"{each.opts[0]} " if each.param_type_name == "option" else ""
                lines[f"{path} {option}./no-such-name"] = [kind]
    assert len(lines) > 10
    assert {line: offered(line) for line in lines} == lines


@pytest.mark.complete
def test_keys_of_the_rule_set_named(play: Play, home: Path) -> None:
    def keys(name: str) -> list[str]:
        return [f"{option.key}=" for option in options_of(built_in(name))]

    assert offered("new A B --set ") == keys("generala")
    assert offered("new A B --rules yacht --set ") == keys("yacht")
    assert offered("new A B --set th") == ["throws="]
    assert offered("new A B --rules kniffel --set upper") == ["upper-bonus=", "upper-bonus-from="]
    assert offered("new A B --set upper") == ["upper-bonus="]
    assert offered("new A B --set upper-bonus=35 --set upper") == ["upper-bonus=", "upper-bonus-from="]
    assert offered("new A B --set=th") == ["--set=throws="]
    assert offered("new A B --rules nonsense --set ") == []
    config = Path(play("rules path").strip()).parent
    config.mkdir(parents=True)
    (config / "config.toml").write_text('rules = "crag"\n')
    assert offered("new A B --set ") == keys("crag")


def test_sides_and_openings_from_the_names_typed(play: Play) -> None:
    assert offered("new Ana Beto Cora --team ") == ["Ana+Beto", "Ana+Cora", "Beto+Cora"]
    assert offered("new Ana Beto Cora Dani --team Ana+Cora --team ") == ["Beto+Dani"]
    assert offered("new Ana,Beto --player Cora --team ") == ["Ana+Beto", "Ana+Cora", "Beto+Cora"]
    assert offered("new Ana Beto Cora Dani --team=Ana+Cora+") == [
        "--team=Ana+Cora+Beto",
        "--team=Ana+Cora+Dani",
    ]
    assert offered("new Ana --rules general Beto --opening ") == ["Ana=", "Beto="]
    assert offered("new Ana, --player B,C --opening ") == ["Ana=", "B,C="]
    assert offered("new Ana Beto --opening Ana=5") == []
    assert offered("rematch --opening ") == []
    play("new Cora Dani --name old")
    play("new Eva Fede")
    assert offered("rematch --opening ") == ["Eva=", "Fede="]
    assert offered("rematch old --opening ") == ["Cora=", "Dani="]


@pytest.mark.slow
def test_nothing_when_there_is_no_game_or_it_is_over_or_damaged(play: Play, home: Path) -> None:
    lines = ("score --player ", "score --as ", "scratch ", "score --roll ", "amend ")
    assert [offered(line) for line in lines] == [[]] * 5
    play("new Ana Beto --rules general")
    play("score 5 5 5 5 5 --roll 1")
    assert [offered(line) for line in lines] == [[], [], [], [], ["1"]]
    for damage in (b"", b"{", b"\xff", b'{"format": 99}', b"[" * 100_000):
        (home / "data" / "games" / "1" / "game.json").write_bytes(damage)
        assert [offered(line) for line in lines] == [[]] * 5
    (home / "data" / "current").write_text("../etc")
    assert [offered(line) for line in lines] == [[]] * 5


def test_what_a_terminal_could_obey_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a\nb", "a\x1b[2Jb", "a\u202eb", "a\udcffb", "Ana"]
    assert [*complete(["new", *names, "--opening", ""])] == ["Ana="]
    assert [*complete(["new", "👨\u200d👩", "日本", "--opening", ""])] == ["👨\u200d👩=", "日本="]


def test_a_completer_that_is_broken_is_silent_at_the_prompt_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise TypeError

    monkeypatch.setattr(completion, "_offered", broken)
    assert candidates([""]) == described_candidates([""]) == ""
    with pytest.raises(TypeError):
        complete([""])


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["nonsense", "-1"]])
def test_every_completer_answers_whatever_was_typed_before(play: Play, words: list[str]) -> None:
    """With and without a game, values of any option or argument raise only our own errors."""
    lines = [["--game", ""], ["--color", ""]]
    for path, command in live_commands():
        lines.append([*path.split(), *words, ""])
        valued = (each for each in command.params if each.param_type_name == "option" and not each.is_flag)
        own = (each.opts[0] for each in valued if each.name not in ("named_game", "color", "language"))
        lines += [[*path.split(), *words, option, ""] for option in own]
    without_game = [complete(line) for line in lines]
    play("new Ana Beto --rules general")
    play("score 5 5 5 3 3")
    with_game = [complete(line) for line in lines]
    assert all(isinstance(offered, Mapping) for offered in (*without_game, *with_game))
    assert sum(map(len, with_game)) > sum(map(len, without_game))  # boxes, players and throws


def test_an_interrupt_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(completion, "_offered", interrupt)
    with pytest.raises(KeyboardInterrupt):
        candidates([""])


@pytest.mark.slow
def test_the_program_prints_a_candidate_a_line(play: Play) -> None:
    play("new", "Maria Jose", "O'Brien", "$(touch x)", "*", "日本")
    done = program("__complete", "score", "--player", "", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Maria Jose\nO'Brien\n$(touch x)\n*\n日本\n"
    ascii_only = program("__complete", "score", "--player", "", PYTHONIOENCODING="ascii")
    assert (ascii_only.returncode, ascii_only.stderr) == (0, "")
    assert ascii_only.stdout == "Maria Jose\nO'Brien\n$(touch x)\n*\n"


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    "words", [[], [""], ["score", "--player", ""], ["sheet", ""], ["amend", "x", "--as", ""]]
)
def test_the_program_never_fails_to_complete(words: list[str]) -> None:
    done = program("__complete", *words)
    assert (done.returncode, done.stderr) == (0, "")


def live_commands() -> Iterator[tuple[str, Any]]:
    yield "", root()
    for name, command in COMMANDS.items():
        yield name, build(name, command)
    for group, below in BELOW.items():
        for name, command in below.items():
            yield f"{group} {name}", build(name, command)


def test_every_option_is_offered_and_none_that_there_is_not() -> None:
    for path, command in live_commands():
        live = [name for p in command.params if p.param_type_name == "option" for name in p.opts]
        assert offered(f"{path} -".lstrip()) == [*live, "-h", "--help"], path
        assert not any(p.secondary_opts for p in command.params)


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("shell", FILES)
def test_completion_prints_the_very_file(shell: str) -> None:
    done = program("completion", shell, PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (COMPLETIONS / FILES[shell]).read_text(encoding="utf-8")


def test_the_files_are_short_ascii_and_begin_as_they_must() -> None:
    texts = {shell: (COMPLETIONS / name).read_text(encoding="ascii") for shell, name in FILES.items()}
    assert texts["zsh"].startswith("#compdef generala\n")
    assert all(len(text.splitlines()) <= 60 for text in texts.values())
    assert "Set-PSReadLine" not in texts["powershell"]
    assert "-Native" in texts["powershell"]


def test_every_file_is_for_a_shell() -> None:
    assert sorted(path.name for path in COMPLETIONS.iterdir()) == sorted(FILES.values())
