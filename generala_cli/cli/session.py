"""What every command shares: the store, what may be asked, and the answer it gives."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

import typer

from generala_cli.cli.output import note
from generala_cli.facts import Fact
from generala_cli.render.screen import ColorChoice, Screen
from generala_cli.rules.names import safe
from generala_cli.store.folder import Folder
from generala_cli.store.places import config_folder, data_folder
from generala_cli.store.store import Store

if TYPE_CHECKING:
    from generala_cli.store.houses import Houses

Document = dict[str, object]
JSON, QUIET, DRY_RUN, COLOR = "generala.json", "generala.quiet", "generala.dry_run", "generala.color"


class Answer(Fact):
    """What a command has to say, as text or as a document, whichever is asked for.

    Attributes:
        text, document: made only when asked for, so that neither is paid for in vain.
        is_news: it says what was changed, which `--quiet` silences.
        notes: for stderr.
    """

    text: Callable[[Screen], str]
    document: Callable[[], Document]
    is_news: bool = False
    notes: tuple[str, ...] = ()


class Session(Fact):
    """The options that every command takes.

    Attributes:
        told: what was said on stderr already, however often the store is asked.
    """

    json: bool
    quiet: bool
    dry_run: bool
    color: ColorChoice
    told: set[str]

    @classmethod
    def of(cls, context: typer.Context) -> "Session":
        """The session of a running command."""
        meta = context.meta
        return cls(
            json=meta.get(JSON, False),
            quiet=meta.get(QUIET, False),
            dry_run=meta.get(DRY_RUN, False),
            color=meta.get(COLOR, "auto"),
            told=set(),
        )

    @property
    def store(self) -> Store:
        """The player's games."""
        return Store(folder=Folder(data_folder()), on_wait=_tell_waiting, on_copies=self._tell_copies)

    @property
    def houses(self) -> "Houses":
        """The player's own rule sets."""
        from generala_cli.store.houses import Houses

        return Houses(directory=config_folder() / "rules")

    @property
    def can_ask(self) -> bool:
        """Questions are for people: both ends must be a terminal, and no document be wanted."""
        return sys.stdin.isatty() and sys.stderr.isatty() and not self.json

    def news(self, text: Callable[[Screen], str], document: Callable[[], Document]) -> Answer:
        """The answer of a command that writes."""
        notes = ("dry run: nothing was saved",) if self.dry_run and not self.quiet else ()
        return Answer(text=text, document=document, is_news=True, notes=notes)

    def _tell_copies(self, line: str) -> None:
        if line not in self.told:
            self.told.add(line)
            note(f"generala: {safe(line)}\n")


def drawn_by(place: str, result: object, *more: object) -> Callable[[Screen], str]:
    """What draws the result: a function of a module of `render`, as `tables.payouts`, imported when used."""
    module, _, function = place.partition(".")

    def draw(screen: Screen) -> str:
        text: str = getattr(import_module(f"generala_cli.render.{module}"), function)(result, screen, *more)
        return text

    return draw


def told_by(place: str, result: object, *more: object) -> Callable[[], Document]:
    """What makes the document: a function of `render.envelope` or of a module named, imported when used."""
    module, _, function = place.rpartition(".")

    def tell() -> Document:
        found = import_module(f"generala_cli.render.{module or 'envelope'}")
        document: Document = getattr(found, function)(result, *more)
        return document

    return tell


def read_input() -> bytes:
    """All of the standard input, for a file named `-`."""
    return sys.stdin.buffer.read()


def _tell_waiting() -> None:
    sys.stderr.write("generala: waiting for another generala that is writing\n")
    sys.stderr.flush()
