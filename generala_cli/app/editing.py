"""Editing a house's rules: in a draft, which becomes the file only when there is no error in it."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from generala_cli.app.rulebook import load_rules
from generala_cli.errors import FileTrouble, GeneralaError, NotAllowed, NotFound
from generala_cli.rules.names import find
from generala_cli.store.houses import Houses, read_text, write_whole
from generala_cli.store.trouble import printable


def edit_rules(
    wanted: str, houses: Houses, *, environment: Mapping[str, str] = os.environ, dry_run: bool = False
) -> Path:
    """Open a rule set of the house in an editor, check it, and put it in place.

    A draft with errors is kept beside the file, and taken up by the next edit.

    Raises:
        NotFound, Ambiguous: the house has no such rule set. NotAllowed: no editor is set, or it failed.
        DamagedFile: the draft has errors; its details are all of them.
    """
    name = _own(wanted, houses)
    path, draft = houses.path(name), houses.directory / f".{name}.draft.toml"
    if dry_run:
        return path
    editor = _editor(environment)
    if read_text(draft) is None:
        write_whole(draft, read_text(path) or "")
    _open(editor, draft)
    try:
        load_rules(str(draft), houses, bytes)
    except GeneralaError as error:
        kept = f"the file is as it was; generala rules edit {name} takes your change up again"
        raise type(error)(error.message, kept, error.details) from error
    houses.replace(name, read_text(draft) or "")
    draft.unlink()
    return path


def _own(wanted: str, houses: Houses) -> str:
    own = houses.names()
    if not own:
        raise NotFound(
            "you have no rules of your own yet", f"generala rules new {wanted} writes some to edit"
        )
    return find(wanted, {name: (name,) for name in own}, "rule set of yours")


def _editor(environment: Mapping[str, str]) -> list[str]:
    """VISUAL beats EDITOR; either may have arguments, as `code --wait`."""
    for variable in ("VISUAL", "EDITOR"):
        if command := environment.get(variable, "").strip():
            try:
                return shlex.split(command)
            except ValueError as error:
                raise NotAllowed(f"{variable} cannot be read: {error}", "close its quotes") from error
    raise NotAllowed("no editor is set", "set VISUAL or EDITOR, as EDITOR=nano")


def _open(editor: list[str], draft: Path) -> None:
    try:
        code = subprocess.run([*editor, str(draft)], check=False).returncode  # noqa: S603 - the user's own
    except OSError as error:
        raise FileTrouble(
            f"the editor {editor[0]!r} cannot be started ({error.strerror})", "set EDITOR to another"
        ) from error
    if code:
        raise NotAllowed(
            f"the editor {editor[0]!r} ended with {code}", f"your change is kept in {printable(draft)}"
        )
