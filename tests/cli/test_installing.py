"""`completion --install` puts the file where the shell looks, even on a fresh machine.

And `help environment` says which program the command `generala` is.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from generala_cli.cli.completion import FILES
from tests.cli.program import Generala
from tests.posix import posix_only

COMPLETIONS = Path(__file__).parents[2] / "completions"
PLACES = {
    "bash": "user/.local/share/bash-completion/completions/generala",
    "zsh": "user/.zfunc/_generala",
    "fish": "user/.config/fish/completions/generala.fish",
    "powershell": "user/.local/share/generala/generala.ps1",
}
ELSEWHERE = (
    ("bash", {"XDG_DATA_HOME": "{home}/x"}, "x/bash-completion/completions/generala"),
    ("bash", {"BASH_COMPLETION_USER_DIR": "{home}/x"}, "x/completions/generala"),
    ("bash", {"XDG_DATA_HOME": "relative"}, PLACES["bash"]),
    ("zsh", {"ZDOTDIR": "{home}/x"}, "x/.zfunc/_generala"),
)


@pytest.mark.parametrize("shell", FILES)
def test_the_file_is_put_where_the_shell_looks(generala: Generala, shell: str) -> None:
    (generala.home / "user").mkdir(parents=True)
    path = generala.home / PLACES[shell]
    assert f"would write {path}" in generala("completion", shell, "--install", "-n").out
    assert not path.exists()
    for _ in range(2):  # our own file is replaced
        assert f"wrote {path}" in generala.ok("completion", shell, "--install")
        assert path.read_bytes() == (COMPLETIONS / FILES[shell]).read_bytes()


@pytest.mark.parametrize(("shell", "environment", "place"), ELSEWHERE)
def test_the_environment_may_name_another_folder(
    generala: Generala, shell: str, environment: Mapping[str, str], place: str
) -> None:
    named = {name: value.format(home=generala.home) for name, value in environment.items()}
    generala.ok("completion", shell, "--install", environment=named)
    assert (generala.home / place).exists()


def test_a_file_that_is_not_ours_is_left_alone(generala: Generala) -> None:
    path = generala.home / PLACES["fish"]
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    result = generala("completion", "fish", "--install")
    assert (result.code, path.read_text()) == (1, "mine")
    assert "move it away" in result.err


def test_what_is_left_to_do_is_reported(generala: Generala) -> None:
    document = generala.json("completion", "zsh", "--install")
    zsh = generala.home / "user"
    assert str(zsh / ".zfunc") in document["note"]
    line = document["note"].partition(":  ")[2]
    (zsh / ".zshrc").write_text(f"{line}\n")
    assert generala.json("completion", "zsh", "--install")["note"] is None


def test_without_bash_completion_the_file_is_to_be_sourced(generala: Generala) -> None:
    shared = generala.home / "share"
    generala = replace(generala, environment={"XDG_DATA_DIRS": os.pathsep.join(("/nowhere", str(shared)))})
    note = generala.json("completion", "bash", "--install")["note"]
    assert note.endswith(f".bashrc:  source '{generala.home / PLACES['bash']}'")
    (shared / "bash-completion").mkdir(parents=True)
    (shared / "bash-completion" / "bash_completion").touch()
    assert generala.json("completion", "bash", "--install")["note"] is None


OTHER = "#!/usr/bin/python3\nimport sys\nfrom generala.__main__ import main\nsys.exit(main())\n"
OURS = OTHER.replace("generala.", "generala_cli.")
WRAPPER = '#!/bin/sh\nexec /opt/versions/shim generala "$@"\n'


def first_on_path(generala: Generala, program: str) -> str:
    """Return the text about the command if that program comes first on the path."""
    path = generala.home / "bin" / "generala"
    path.parent.mkdir(parents=True)
    path.write_text(program)
    path.chmod(0o700)
    document = replace(generala, environment={"PATH": str(path.parent)}).json("help", "environment")
    (row,) = (row for row in document["settings"] if row["name"] == "command")
    assert row["value"] == str(path)
    return str(row["origin"])


@posix_only("a command there is no script of a shell")
@pytest.mark.parametrize(("program", "origin"), [(OURS, "this program"), (WRAPPER, "PATH")])
def test_the_file_names_this_command(generala: Generala, program: str, origin: str) -> None:
    assert first_on_path(generala, program) == origin


@posix_only("a command there is no script of a shell")
def test_another_tool_of_that_name_on_the_path_is_noticed(generala: Generala) -> None:
    assert first_on_path(generala, OTHER).startswith("a different tool of the same name; this program is ")


@posix_only("a command there is no script of a shell")
def test_the_other_tool_in_the_same_environment_is_noticed(
    generala: Generala, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "packages" / "generala-2.0.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: generala\nVersion: 2.0.0\n")
    monkeypatch.syspath_prepend(about.parent)
    assert "the package generala is also installed here" in first_on_path(generala, OURS)


def test_a_command_that_is_not_on_the_path_is_reported(generala: Generala) -> None:
    shown = generala("help", "environment", environment={"PATH": "/nowhere"}).out
    assert re.search(r"^command +none  \(not on the PATH; this program is ", shown, re.MULTILINE)
