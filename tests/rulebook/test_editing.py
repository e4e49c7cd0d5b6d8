import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generala_cli.app.rule_sets import load_rules
from generala_cli.errors import DamagedFile, FileError, NotAllowed, NotFound
from generala_cli.rulebook.rule_files import LeftDraft, edit_rules, new_rules
from generala_cli.store.house_rules import HouseRules
from tests.posix import posix_only
from tests.store.files import listing

Editor = Callable[[str], str]


@pytest.fixture
def casa(house_rules: HouseRules) -> HouseRules:
    """A house with rules of its own, called casa."""
    new_rules("casa", "general", house_rules, bytes)
    return house_rules


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    """An editor, in a path with spaces and quotes, that runs a line of Python on the `text`."""
    folder = tmp_path / "it's my editor"
    folder.mkdir()

    def write(line: str) -> str:
        script = folder / "edit it.py"
        script.write_text(
            "import pathlib, sys\n*arguments, name = sys.argv[1:]\npath = pathlib.Path(name)\n"
            f"text = path.read_text('utf-8')\n{line}\npath.write_text(text, 'utf-8')\n"
        )
        return shlex.join([sys.executable, str(script)])

    return write


def throws(house_rules: HouseRules) -> int:
    return load_rules("casa", house_rules, bytes).throws


BETTER = "text = text.replace('throws = 3', 'throws = 2')"
WORSE = "text = text.replace('throws = 3', 'throws = 77')"


@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
def test_a_fine_edit_is_saved_and_leaves_no_draft(casa: HouseRules, editor: Editor, variable: str) -> None:
    edited = edit_rules("casa", casa, environment={variable: editor(BETTER)})
    assert edited.path == str(casa.path("casa"))
    assert throws(casa) == 2
    assert list(listing(casa.directory)) == ["casa.toml"]


def test_visual_beats_editor(casa: HouseRules, editor: Editor) -> None:
    edit_rules("casa", casa, environment={"VISUAL": editor(BETTER), "EDITOR": "false"})
    assert throws(casa) == 2


def test_an_empty_visual_is_none(casa: HouseRules, editor: Editor) -> None:
    edit_rules("casa", casa, environment={"VISUAL": " ", "EDITOR": editor(BETTER)})
    assert throws(casa) == 2


def test_the_editors_own_arguments_come_first(casa: HouseRules, editor: Editor) -> None:
    line = "assert arguments == ['--wait', 'two words', '']; " + BETTER
    edit_rules("casa", casa, environment={"EDITOR": f"{editor(line)} --wait 'two words' ''"})
    assert throws(casa) == 2


def test_a_start_of_the_name_is_enough(casa: HouseRules, editor: Editor) -> None:
    assert edit_rules("ca", casa, environment={"EDITOR": editor(BETTER)}).rules == "casa"
    assert throws(casa) == 2


def test_a_bad_edit_is_refused_and_kept(casa: HouseRules, editor: Editor) -> None:
    before = casa.path("casa").read_bytes()
    with pytest.raises(DamagedFile, match="continues with your change") as caught:
        edit_rules("casa", casa, environment={"EDITOR": editor(WORSE)})
    assert tuple(map(str, caught.value.details)) == ("throws: must be a whole number from 1 to 9, not 77",)
    assert casa.path("casa").read_bytes() == before


def take(draft: Path) -> LeftDraft:
    """Say yes to a draft that is offered."""
    assert draft.is_file()
    return "take"


def leave(_: Path) -> LeftDraft:
    return "leave"


def drop(_: Path) -> LeftDraft:
    return "drop"


def drafts(house_rules: HouseRules) -> list[str]:
    """Return the texts of the drafts next to the rule files."""
    return [path.read_text("utf-8") for path in house_rules.directory.iterdir() if path.name.startswith(".")]


def test_a_bad_edit_is_taken_up_again_where_that_is_wanted(casa: HouseRules, editor: Editor) -> None:
    with pytest.raises(DamagedFile):
        edit_rules("casa", casa, environment={"EDITOR": editor(WORSE)})
    mend = "assert 'throws = 77' in text; text = text.replace('throws = 77', 'throws = 5')"
    edit_rules("casa", casa, environment={"EDITOR": editor(mend)}, offer=take)
    assert throws(casa) == 5
    assert list(listing(casa.directory)) == ["casa.toml"]


def test_a_draft_left_behind_is_never_taken_silently(casa: HouseRules, editor: Editor) -> None:
    with pytest.raises(DamagedFile):
        edit_rules("casa", casa, environment={"EDITOR": editor(WORSE)})
    before = listing(casa.directory)
    with pytest.raises(NotAllowed, match=r"from an earlier edit.+--draft take .+--draft drop"):
        edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)})
    assert listing(casa.directory) == before


def test_a_draft_that_is_not_wanted_is_only_deleted_on_demand(casa: HouseRules, editor: Editor) -> None:
    with pytest.raises(DamagedFile):
        edit_rules("casa", casa, environment={"EDITOR": editor(WORSE)})
    edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)}, offer=leave)
    assert throws(casa) == 2
    (left,) = drafts(casa)
    assert "throws = 77" in left
    edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)}, offer=drop)
    assert drafts(casa) == []
    edit_rules(
        "casa", casa, environment={"EDITOR": editor("text = text.replace('throws = 2', 'throws = 4')")}
    )
    assert throws(casa) == 4


def test_a_draft_of_a_killed_edit_does_not_overwrite_a_later_change(casa: HouseRules, editor: Editor) -> None:
    (casa.directory / ".casa.draft.toml").write_text(casa.path("casa").read_text().replace("= 3", "= 9"))
    later = casa.path("casa").read_text("utf-8").replace("throws = 3", "throws = 6")
    casa.path("casa").write_text(later, "utf-8")
    with pytest.raises(NotAllowed, match="from an earlier edit"):
        edit_rules("casa", casa, environment={"EDITOR": "true"})
    assert throws(casa) == 6


@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
def test_a_draft_like_the_file_has_nothing_to_take_up(casa: HouseRules, editor: Editor) -> None:
    casa.new_draft("casa", casa.path("casa").read_text("utf-8"))
    edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)})
    assert list(listing(casa.directory)) == ["casa.toml"]


HOSTILE = [
    "path.write_bytes(b'\\xff'); sys.exit()",
    "path.unlink(); path.mkdir(); sys.exit()",
    "import os; path.unlink(); os.mkfifo(path); sys.exit()",
    "import os; os.truncate(path, 17 * 2**20); sys.exit()",
    "path.unlink(); sys.exit()",
]


@pytest.mark.thinned(every=5)
@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
@pytest.mark.parametrize("line", HOSTILE)
def test_a_draft_that_is_none_harms_no_later_edit(casa: HouseRules, editor: Editor, line: str) -> None:
    before = casa.path("casa").read_bytes()
    with pytest.raises((FileError, NotFound)):
        edit_rules("casa", casa, environment={"EDITOR": editor(line)})
    assert casa.path("casa").read_bytes() == before
    edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)})
    assert throws(casa) == 2


@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
def test_what_was_changed_meanwhile_is_not_overwritten_and_both_are_kept(
    casa: HouseRules, editor: Editor
) -> None:
    file = casa.path("casa")
    other = f"; o = pathlib.Path({str(file)!r}); o.write_text(o.read_text('utf-8').replace('= 3', '= 4'))"
    with pytest.raises(NotAllowed, match="has changed in the meantime; your change is kept in"):
        edit_rules("casa", casa, environment={"EDITOR": editor(BETTER + other)})
    assert throws(casa) == 4
    (draft,) = drafts(casa)
    assert "throws = 2" in draft


@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
@pytest.mark.slow
def test_two_editors_at_once_do_not_share_a_draft(casa: HouseRules, editor: Editor) -> None:
    better = "sed -i 's/throws = 3/throws = 2/'"
    script = (
        "from pathlib import Path; from generala_cli.rulebook.rule_files import edit_rules; "
        "from generala_cli.store.house_rules import HouseRules; "
        f"houses = HouseRules(directory=Path({str(casa.directory)!r})); "
        f"edit_rules('casa', houses, environment={{'EDITOR': {better!r}}})"
    )
    inner = f"import subprocess; subprocess.run([sys.executable, '-c', {script!r}], check=True, timeout=60); "
    with pytest.raises(NotAllowed, match="has changed in the meantime"):
        edit_rules("casa", casa, environment={"EDITOR": editor(inner + "text += '# mine'")})
    assert throws(casa) == 2
    (draft,) = drafts(casa)
    assert draft.endswith("# mine")


@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
def test_an_editor_that_fails_saves_nothing_and_keeps_the_change(casa: HouseRules, editor: Editor) -> None:
    before = casa.path("casa").read_bytes()
    line = BETTER + "; path.write_text(text, 'utf-8'); sys.exit(3)"
    with pytest.raises(
        NotAllowed, match=r"exited with code 3; your change is kept in .+casa\.draft-.+\.toml"
    ):
        edit_rules("casa", casa, environment={"EDITOR": editor(line)})
    assert casa.path("casa").read_bytes() == before
    edit_rules("casa", casa, environment={"EDITOR": "true"}, offer=take)
    assert throws(casa) == 2


def test_a_draft_is_no_rule_set(casa: HouseRules, editor: Editor) -> None:
    with pytest.raises(DamagedFile):
        edit_rules("casa", casa, environment={"EDITOR": editor(WORSE)})
    assert casa.names() == ("casa",)


@pytest.mark.parametrize(
    ("environment", "error", "why"),
    [
        ({}, NotAllowed, "no editor is set"),
        ({"EDITOR": ""}, NotAllowed, "no editor is set"),
        ({"EDITOR": "vi 'unclosed"}, NotAllowed, "EDITOR cannot be read"),
        ({"EDITOR": "/no/such/editor"}, FileError, "cannot start the editor"),
    ],
    ids=str,
)
def test_without_an_editor_nothing_is_changed(
    casa: HouseRules, environment: dict[str, str], error: type[Exception], why: str
) -> None:
    before = casa.path("casa").read_bytes()
    with pytest.raises(error, match=why):
        edit_rules("casa", casa, environment=environment)
    assert casa.path("casa").read_bytes() == before


def test_only_the_houses_own_rules_are_edited(house_rules: HouseRules) -> None:
    with pytest.raises(NotFound, match="generala rules new general"):
        edit_rules("general", house_rules, environment={"EDITOR": "true"})
    new_rules("casa", "general", house_rules, bytes)
    with pytest.raises(NotFound, match="rule set of yours"):
        edit_rules("yacht", house_rules, environment={"EDITOR": "true"})


def test_a_dry_run_opens_nothing(casa: HouseRules, editor: Editor) -> None:
    before = listing(casa.directory)
    assert not edit_rules("casa", casa, environment={"EDITOR": editor(BETTER)}, dry_run=True).saved
    assert listing(casa.directory) == before
