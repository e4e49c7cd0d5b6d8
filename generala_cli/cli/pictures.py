from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import option
from generala_cli.cli.prompts import ask_before
from generala_cli.cli.session import Answer, AnyDocument, Session
from generala_cli.errors import FileError, Interrupted, UsageError
from generala_cli.messages import lazy
from generala_cli.render.language import in_users_language
from generala_cli.store.files import NOT_WRITTEN, explaining, write_whole
from generala_cli.text import safe

_SVG = lazy("Also draw a chart in this .svg file.")
Svg = Annotated[str | None, option("--svg", _SVG, "FILE", completers.files)]


def picture_path(session: Session, name: str | None, *, yes: bool) -> Path | None:
    """Return the path for an `.svg` picture, or None; ask before it replaces a file."""
    if name is not None and ("\0" in name or Path(name).suffix.casefold() != ".svg"):
        what = lazy("{name!r} is not a valid name for a picture", name=name)
        raise UsageError(what, "use a name that ends in .svg, such as --svg game.svg")
    return _path_to_write(session, name, yes=yes)


def page_path(session: Session, name: str | None, *, yes: bool) -> Path | None:
    if name is not None and ("\0" in name or Path(name).suffix.casefold() != ".html"):
        what = lazy("{name!r} is not a valid name for a page", name=name)
        raise UsageError(what, "use a name that ends in .html, such as --qr codes.html")
    return _path_to_write(session, name, yes=yes)


def _path_to_write(session: Session, name: str | None, *, yes: bool) -> Path | None:
    if name is None:
        return None
    path = Path(name)
    with explaining(NOT_WRITTEN, path):
        is_there, is_file = path.exists(), path.is_file()
    if is_there and not is_file:
        raise FileError("{file} is not a regular file", "choose a different name", file=safe(path))
    refusal = UsageError("{file} already exists", "add --yes to overwrite it", file=safe(path))
    if is_there and not yes and not ask_before(session, lazy("Overwrite {file}?", file=safe(path)), refusal):
        raise Interrupted("nothing was written", "choose a different name")
    return path


def with_picture(
    answer: Answer[AnyDocument], session: Session, path: Path | None, draw: Callable[[], str]
) -> Answer[AnyDocument]:
    if path is None:
        return answer
    with in_users_language():
        write_whole(path, draw())
    notes = () if session.quiet else (lazy("saved to {file}", file=safe(path)),)
    return replace(answer, notes=(*answer.notes, *notes))
