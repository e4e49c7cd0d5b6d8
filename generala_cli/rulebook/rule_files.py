import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.app.programs import words_of
from generala_cli.app.rule_sets import ReadInput, check_new_name, load_rules, rules_of
from generala_cli.errors import FileError, GeneralaError, NotAllowed, NotFound
from generala_cli.messages import Message, lazy
from generala_cli.remedies import in_shell
from generala_cli.rulebook.answers import EditedRules, NewRules
from generala_cli.rules.catalog import guide
from generala_cli.rules.rulefile import rules_toml
from generala_cli.store.files import write_whole
from generala_cli.store.house_rules import HouseRules, already_exists_error, read_text
from generala_cli.text import find, safe

LeftDraft = Literal["take", "drop", "leave"]
"""Continue with the draft of an earlier edit, delete it, or ignore it."""
AskDraft = Callable[[Path], LeftDraft]


def new_rules(
    name: str, source: str, house_rules: HouseRules, read_input: ReadInput, *, dry_run: bool = False
) -> NewRules:
    """Copy a rule set into a house rule file. UsageError if the name is invalid, NotAllowed if taken."""
    check_new_name(name, house_rules)
    rules = load_rules(source, house_rules, read_input)
    named = replace(rules, name=name, title=name.replace("-", " ").title(), titles=UNSET)
    if house_rules.path(name).exists():
        raise already_exists_error(house_rules.path(name))
    text = guide().format(name=name, source=source) + rules_toml(named)
    path = house_rules.path(name) if dry_run else house_rules.create(name, text)
    return NewRules(rules=name, path=str(path), saved=not dry_run)


def edit_rules(
    wanted: str,
    house_rules: HouseRules,
    *,
    environment: Mapping[str, str] = os.environ,
    offer: AskDraft | None = None,
    dry_run: bool = False,
) -> EditedRules:
    """Edit a house rule file in a draft, validate it, and replace the file.

    A draft with errors is kept. At the next edit, `offer` decides whether to continue with it; without
    `offer`, editing is refused as long as a draft exists.
    """
    own = {name: (name,) for name in house_rules.names()}
    if not own:
        raise NotFound(
            "you have no rules of your own yet",
            in_shell(lazy("generala rules new {name} creates some", name=wanted)),
        )
    name = find(wanted, own, "rule set of yours")
    path = house_rules.path(name)
    edited = EditedRules(rules=name, path=str(path), saved=not dry_run)
    if dry_run:
        return edited
    editor = _editor(environment)
    before = read_text(path) or ""
    draft = _left_draft(name, house_rules, before, offer) or house_rules.new_draft(name, before)
    _open_in(editor, draft)
    try:
        text = read_text(draft)
        if text is None:
            raise NotFound("the draft {path} no longer exists", path=safe(draft))
        rules_of(text, safe(draft))
    except GeneralaError as error:
        kept = lazy("the file is unchanged; generala rules edit {name} continues with your change", name=name)
        error.hint = in_shell(kept)
        raise
    if read_text(path) != before:
        what = lazy("{path} has changed in the meantime", path=safe(path))
        raise NotAllowed(what, _where_kept(draft))
    write_whole(path, text)
    draft.unlink()
    return edited


def _left_draft(name: str, house_rules: HouseRules, before: str, offer: AskDraft | None) -> Path | None:
    for draft in house_rules.drafts(name):
        if read_text(draft) == before:
            draft.unlink()
            continue
        if offer is None:
            raise NotAllowed(
                "there is a draft of {name} from an earlier edit: {path}",
                in_shell(
                    lazy(
                        "generala rules edit {name} --draft take continues with it, --draft drop deletes it",
                        name=name,
                    )
                ),
                name=name,
                path=safe(draft),
            )
        chosen = offer(draft)
        if chosen == "take":
            return house_rules.take_up(draft, name)
        if chosen == "drop":
            draft.unlink()
    return None


def _editor(environment: Mapping[str, str]) -> list[str]:
    """Return the editor's command, from VISUAL or else EDITOR, perhaps with arguments: `code --wait`."""
    for variable in ("VISUAL", "EDITOR"):
        if command := environment.get(variable, "").strip():
            try:
                return words_of(command)
            except ValueError as error:
                raise NotAllowed(
                    "{variable} cannot be read: {reason}",
                    "close its quotes",
                    variable=variable,
                    reason=str(error),
                ) from error
    raise NotAllowed("no editor is set", "set VISUAL or EDITOR, for example EDITOR=nano")


def _open_in(editor: list[str], draft: Path) -> None:
    try:
        code = subprocess.run([*editor, str(draft)], check=False).returncode  # noqa: S603 - the user's own
    except OSError as error:
        raise FileError(
            "cannot start the editor '{editor}' ({reason})",
            "set EDITOR to a different one",
            editor=editor[0],
            reason=error.strerror,
        ) from error
    if code:
        what = lazy("the editor '{editor}' exited with code {code}", editor=editor[0], code=code)
        raise NotAllowed(what, _where_kept(draft))


def _where_kept(draft: Path) -> Message:
    return lazy("your change is kept in {path}", path=safe(draft))
