"""TAB in real shells on a real terminal inserts text that gives the program the exact name, and runs nothing.

`generala` in these shells is a recorder. It passes everything on to the program, and records the arguments of
all calls except those from a completion file.
"""

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sizes import thinned

if sys.platform == "win32":
    pytest.skip("the shells are tried on a pseudo-terminal", allow_module_level=True)
else:
    import pty
    import termios

COMPLETIONS = Path(__file__).parents[2] / "completions"
PROGRAM = shutil.which("generala", path=sysconfig.get_path("scripts"))
NAMES = (
    "Maria Jose",
    "O'Brien",
    "$(touch x)",
    "*",
    'a"b',
    "a;b&c",
    "#1",
    "José:Mar=3",
    "{a,b}",
    "¡Ea!x",
    "`x`",
)
STARTS = (  # the text before TAB, and the name that it stands for
    ("Ma", "Maria Jose"),
    ("maria", "Maria Jose"),
    (r"Maria\ J", "Maria Jose"),
    ("'Maria J", "Maria Jose"),
    ('"Maria J', "Maria Jose"),
    ("O", "O'Brien"),
    (r"O\'B", "O'Brien"),
    ('"O', "O'Brien"),
    ("'O", "O'Brien"),
    (r"\$", "$(touch x)"),
    ("'$(t", "$(touch x)"),
    (r'"\$(', "$(touch x)"),
    (r"\*", "*"),
    ("'*", "*"),
    ('"¡', "¡Ea!x"),
    ("'¡", "¡Ea!x"),
)
PATIENCE = 300.0  # seconds; a machine that runs other tests may be slow

RECORDER = """\
#!{python}
import json, os, subprocess, sys
if sys.argv[1:2] in (["__complete"], ["__describe"]):
    os.execv({program!r}, [{program!r}, *sys.argv[1:]])
code = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
with open({log!r}, "a") as log:
    log.write(json.dumps([code, *sys.argv[1:]]) + "\\n")
"""

# A new session gets a controlling terminal only on request, and fork() is not safe with threads.
TAKE_TERMINAL = (
    "import fcntl,os,sys,termios; fcntl.ioctl(0,termios.TIOCSCTTY,0); os.execvp(sys.argv[1],sys.argv[1:])"
)

START: dict[str, list[str]] = {
    "bash": ["bash", "--noprofile", "--rcfile", "{home}/rc.bash", "-i"],
    "zsh": ["zsh", "-d", "-i"],  # without the system's files; ours is .zshrc
    "fish": ["fish", "--no-config", "-i", "-C", "source {home}/rc.fish"],
}
RC = {
    "bash": ("rc.bash", "source {files}/generala.bash\nPS1='READY> '\n"),
    "zsh": (
        ".zshrc",
        "autoload -Uz compinit && compinit -u -D\nsource {files}/_generala\nPS1='READY> '; unsetopt beep\n",
    ),
    "fish": ("rc.fish", "source {files}/generala.fish\nfunction fish_prompt; echo -n 'READY> '; end\n"),
}
SHELLS = tuple(START)


@dataclass
class Table:
    """A home folder with the recorder, in which shells run."""

    home: Path

    @property
    def log(self) -> Path:
        return self.home / "log"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "ZDOTDIR": str(self.home),
            "GENERALA_ROOT": str(self.home),
            "LC_ALL": "C.UTF-8",
            "TERM": "vt100",
            "COLUMNS": "200",
        }

    def run(self, *arguments: str) -> str:
        assert PROGRAM is not None, "generala is not installed next to this interpreter"
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def recorded(self) -> list[list[object]]:
        """The exit code and arguments of each run."""
        text = self.log.read_text() if self.log.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


class Terminal:
    """A shell on its own terminal."""

    def __init__(self, shell: str, table: Table, rc: tuple[str, str] | None = None) -> None:
        self.table, self.seen = table, ""
        name, text = rc or RC[shell]
        (table.home / name).write_text(text.format(files=shlex.quote(str(COMPLETIONS))))
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (50, 200))
        start = [word.format(home=table.home) for word in START[shell]]
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *start],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=table.home,
            env=table.environment,
            start_new_session=True,
        )
        os.close(theirs)
        self.wait_for("READY> ")

    def type(self, keys: str) -> None:
        rest = keys.encode()
        while rest:
            rest = rest[os.write(self.ours, rest) :]

    def wait_for(self, text: str) -> None:
        """Read until the shell has written the text. Start after the previous match."""
        self._until(lambda: text in self.seen, f"{text!r} on the screen")
        self.seen = self.seen.partition(text)[2]

    def ran(self, runs: int = 1) -> list[object]:
        """Wait for the given number of runs. Return the exit code and arguments of the latest one."""
        self._until(lambda: len(self.table.recorded()) >= runs, f"{runs} runs of generala")
        return self.table.recorded()[runs - 1]

    def _until(self, is_so: Callable[[], bool], wanted: str) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"waited for {wanted}; on the screen: {self.seen!r}"
            if select.select([self.ours], [], [], 0.02)[0]:
                self.seen += os.read(self.ours, 65536).decode(errors="replace")

    def close(self) -> None:
        """End the shell and everything it has started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.ours)


def need(shell: str) -> None:
    """Require the shell on the official test machine; elsewhere, skip the test without it."""
    if shutil.which(shell) is None:
        assert not os.environ.get("CI"), f"{shell} must be installed where CI is set"
        pytest.skip(f"{shell} is not installed")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    assert PROGRAM is not None, "generala is not installed next to this interpreter"
    table = Table(tmp_path / "home")
    (table.home / "bin").mkdir(parents=True)
    recorder = table.home / "bin" / "generala"
    recorder.write_text(RECORDER.format(python=sys.executable, program=PROGRAM, log=str(table.log)))
    recorder.chmod(0o755)
    return table


@pytest.fixture(params=thinned(zip(SHELLS), every=len(SHELLS)))
def shell(request: pytest.FixtureRequest) -> str:
    need(request.param)
    return str(request.param)


@pytest.fixture
def terminal(shell: str, table: Table) -> Iterator[Terminal]:
    terminal = Terminal(shell, table)
    yield terminal
    terminal.close()


@pytest.mark.slow
def test_every_name_is_inserted_whole_and_is_recorded_for_that_player(
    terminal: Terminal, table: Table
) -> None:
    for runs, name in enumerate(NAMES, start=1):
        table.run("new", "--player", "Zoe", "--player", name)
        table.run("score", "5", "5", "5", "3", "3")
        terminal.type("generala score 5 5 5 3 3 --player \t\r")
        assert terminal.ran(runs) == [0, "score", "5", "5", "5", "3", "3", "--player", name]
        assert name in json.loads(table.run("log", "--json"))["entries"][-1]["player"]
    assert not (table.home / "x").exists()


@pytest.mark.slow
def test_a_tilde_is_never_taken_for_the_home_folder(terminal: Terminal, table: Table, shell: str) -> None:
    table.run("new", "Zoe", "~")
    table.run("score", "5", "5", "5", "3", "3")
    terminal.type("generala score 55533 -n --player \t\r")
    inserted = [] if shell == "fish" else ["~"]  # fish cannot quote it, so it is not offered there
    assert terminal.ran()[1:] == ["score", "55533", "-n", "--player", *inserted]


@pytest.mark.slow
def test_a_name_begun_in_any_quotes_is_completed(terminal: Terminal, table: Table) -> None:
    table.run("new", *dict.fromkeys(name for _, name in STARTS))
    for runs, (start, name) in enumerate(STARTS, start=1):
        terminal.type(f"generala score 55533 -n --player {start}\t\r")
        assert terminal.ran(runs) == [0, "score", "55533", "-n", "--player", name], start
    assert not (table.home / "x").exists()


@pytest.mark.slow
def test_a_value_may_be_joined_to_its_option(terminal: Terminal, table: Table) -> None:
    table.run("new", *dict.fromkeys(name for _, name in STARTS))
    joined = [("Ma", "Maria Jose"), ("O", "O'Brien"), (r"\$", "$(touch x)"), (r"\*", "*")]
    for runs, (start, name) in enumerate(joined, start=1):
        terminal.type(f"generala score 55533 -n --player={start}\t\r")
        assert terminal.ran(runs) == [0, "score", "55533", "-n", f"--player={name}"]


@pytest.mark.slow
def test_commands_options_and_categories_are_completed(terminal: Terminal, table: Table) -> None:
    table.run("new", "Ana", "Beto")
    terminal.type("generala sco\t55533 --dry\t--a\tful\t--ro\t1\r")
    assert terminal.ran() == [0, "score", "55533", "--dry-run", "--as", "full-house", "--roll", "1"]


@pytest.mark.slow
def test_a_key_to_be_set_is_followed_by_its_value_at_once(terminal: Terminal, table: Table) -> None:
    terminal.type("generala new Ana Beto --rules generala --set spar\tyes --opening A\t55533 -n\r")
    options = ["--rules", "generala", "--set", "spares=yes", "--opening", "Ana=55533", "-n"]
    assert terminal.ran()[1:] == ["new", "Ana", "Beto", *options]


@pytest.mark.slow
def test_words_before_the_cursor_are_read_without_their_quotes(terminal: Terminal, table: Table) -> None:
    terminal.type("generala new 'Maria Jose' \"O'Brien\" Ana\\ B --team O\t -n\r")
    assert terminal.ran()[1:] == ["new", "Maria Jose", "O'Brien", "Ana B", "--team", "O'Brien+Ana B", "-n"]


@pytest.mark.slow
def test_a_name_typed_in_the_middle_of_quotes_or_of_a_pipeline(terminal: Terminal, table: Table) -> None:
    table.run("new", "Maria Jose", "O'Brien")
    terminal.type("cd . ; generala score 55533 -n --player Ma\t | cat\r")
    assert terminal.ran()[-1] == "Maria Jose"
    terminal.type("X=1 generala score 55533 -n --player Ma\t\r" * 2)
    assert terminal.ran(3)[-1] == "Maria Jose"
    terminal.type('generala score 55533 -n --player="Ma\t\r')
    assert terminal.ran(4)[-1] == "--player=Maria Jose"


@pytest.mark.slow
def test_the_word_at_the_cursor_is_completed_in_the_middle_of_a_line(
    terminal: Terminal, table: Table
) -> None:
    table.run("new", "Maria Jose", "O'Brien")
    terminal.type("generala score --player Ma -n 55533" + "\x1b[D" * 9 + "\t\r")
    assert terminal.ran()[1:] == ["score", "--player", "Maria Jose", "-n", "55533"]


@pytest.mark.slow
def test_several_candidates_are_listed(terminal: Terminal, table: Table) -> None:
    table.run("new", "Ana", "Beto")
    before = table.recorded()
    terminal.type("generala score 55533 --player \t\t")
    terminal.wait_for("Ana")
    terminal.wait_for("Beto")
    assert table.recorded() == before  # they are only listed: nothing was run


@pytest.mark.slow
def test_the_description_of_a_candidate_is_shown(table: Table) -> None:
    need("zsh")
    table.run("new", "Ana", "Beto")
    before = table.recorded()
    terminal = Terminal("zsh", table)
    try:
        terminal.type("generala 44442 \t")
        terminal.wait_for("four-of-a-kind  -- 40 points")
        terminal.wait_for("fours           -- 16 points")
        assert table.recorded() == before  # they are only listed: nothing was run
    finally:
        terminal.close()


@pytest.mark.slow
def test_bash_completes_an_alias_and_what_it_stands_for(table: Table) -> None:
    need("bash")
    name, text = RC["bash"]
    aliases = "alias g=generala\nalias ga='generala --game 1'\nalias gn='generalissimo'\n"
    table.run("new", "Maria Jose", "Beto")
    table.run("new", "Cora", "Dani")
    terminal = Terminal("bash", table, (name, aliases + text))
    try:
        terminal.type("ga 55533 -n fu\tMa\t\r")
        assert terminal.ran() == [0, "--game", "1", "55533", "-n", "full-house", "Maria Jose"]
        terminal.type("g 55533 -n Da\t\r")
        assert terminal.ran(2) == [0, "55533", "-n", "Dani"]
        terminal.type("complete -p gn\r")
        terminal.wait_for("gn: no completion specification")
    finally:
        terminal.close()


@pytest.mark.slow
def test_zsh_finds_the_file_in_its_fpath(table: Table) -> None:
    need("zsh")
    name, text = RC["zsh"]
    from_fpath = text.replace("autoload", "fpath=({files} $fpath)\nautoload").replace(
        "source {files}/_generala", ""
    )
    table.run("new", "Maria Jose", "O'Brien")
    terminal = Terminal("zsh", table, (name, from_fpath))
    try:
        for runs in (1, 2):  # the file is read at the first TAB
            terminal.type("generala score 55533 -n --player Ma\t\r")
            assert terminal.ran(runs)[-1] == "Maria Jose"
    finally:
        terminal.close()


@pytest.mark.slow
def test_bash_may_break_words_at_other_characters(table: Table) -> None:
    need("bash")
    name, text = RC["bash"]
    table.run("new", "Maria Jose", "José:Mar=3")
    terminal = Terminal("bash", table, (name, text + "COMP_WORDBREAKS=${{COMP_WORDBREAKS//[=:]}}\n"))
    try:
        terminal.type("generala score 55533 -n --player=Ma\t\rgenerala score 55533 -n --player José:M\t\r")
        assert terminal.ran(1)[-1] == "--player=Maria Jose"
        assert terminal.ran(2)[-1] == "José:Mar=3"
    finally:
        terminal.close()


@pytest.mark.slow
def test_typing_that_fits_several_is_not_lost(terminal: Terminal, table: Table) -> None:
    table.run("new", "Maria", "MArta", "Ana Belen", "Ana Beto")
    terminal.type("generala score 55533 -n --player Ana\tt\t\r")
    assert terminal.ran()[-1] == "Ana Beto"
    terminal.type("generala score 55533 -n --player mar\ti\t\r")
    assert terminal.ran(2)[-1] == "Maria"


@pytest.mark.slow
def test_files_are_offered_where_one_is_asked_for_and_nowhere_else(terminal: Terminal, table: Table) -> None:
    (table.home / "house-of-ours.toml").write_text("")
    (table.home / "Anaconda").write_text("")
    terminal.type("generala rules check house-o\t\r")
    assert terminal.ran()[1:] == ["rules", "check", "house-of-ours.toml"]
    terminal.type("generala new Ana Beto -n --rules ./house-o\t\r")
    assert terminal.ran(2)[-1] == "./house-of-ours.toml"
    terminal.type("generala score 55533 --player Anac\t\r")
    assert terminal.ran(3)[-1] == "Anac"
    (table.home / "shared-by-us").mkdir()
    (table.home / "shared-backup").write_text("")
    terminal.type("generala sync shared-\t\r")
    assert terminal.ran(4)[-1] in ("shared-by-us/", "shared-by-us")
    terminal.type("generala -q import shared-ba\t\r")
    assert terminal.ran(5)[-1] == "shared-backup"
    terminal.type("generala export -n -o shared-ba\t\r")
    assert terminal.ran(6)[-1] == "shared-backup"
    for number, line in enumerate(("review --svg", "board --qr", "tournament new Copa --players"), start=7):
        terminal.type(f"generala {line} shared-ba\t\r")
        assert terminal.ran(number)[-1] == "shared-backup", line
