"""Every answer has a drawing, and every drawing draws what a command answers."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from rich.console import RenderableType

from generala_cli.cli import session
from generala_cli.cli.schemas import answers
from generala_cli.packages import packages
from generala_cli.render.screen import Screen, draw, drawn
from tests.cli.every import EDITING, PATHS, WRITES, working
from tests.cli.program import Generala

DRAWN_WITH_MORE = """
    SheetDocument NoGameDocument RuleCard CheckedHand CheckedFile SeatedRound Versions
    Advice Odds Review Stats Records Versus BoardAddresses
"""
"""Commands draw these together with a game, rules or records."""
TEXTS = """
    TextDocument VersionDocument ErrorDocument CompletionDocument EnvironmentDocument ExitCodesDocument
    SchemaDocument SchemasDocument TournamentPaper
    ExportedGameDocument ExportedSeat ExportedStanding ExportedNightPlace
"""
"""These are text already, or lines of a file."""
OTHER_OPTIONS = """
sheet --blank
stats --dice
ledger
ledger --why Ana Beto
ledger --why Ana pot
ledger --payments
league
rules show general --toml
doctor
"""
WITH_A_COPY = """
doctor 1
doctor 1 --take this -n
doctor --accept 1 --yes
"""


def registered() -> set[type[Any]]:
    for name in ("games", "table", *packages()):
        if find_spec(f"generala_cli.{name}.drawing") is not None:
            import_module(f"generala_cli.{name}.drawing")
    return {kind for kind in draw.registry if kind is not object}


def drawn_documents() -> Iterator[str]:
    """Yield the drawn classes. A result such as an entry is drawn instead of the document made from it."""
    for kind in registered():
        yield kind.__name__
        if hasattr(kind, "document"):
            made = kind.document.__annotations__["return"]
            yield getattr(made, "__name__", made)


def test_every_document_of_a_command_has_a_drawing() -> None:
    documents = {kind.__name__ for kinds in answers().values() for kind in kinds}
    assert documents.difference(drawn_documents(), DRAWN_WITH_MORE.split(), TEXTS.split()) == set()


@pytest.mark.slow
def test_commands_draw_every_answer(with_tournament: Generala, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[type] = set()

    def recorded(answer: object, screen: Screen) -> RenderableType:
        seen.add(type(answer))
        return drawn(answer, screen)

    monkeypatch.setattr(session, "drawn", recorded)
    for path in PATHS:
        with_tournament(*working(path), *(("-n",) if path in WRITES else ()), environment=EDITING)
    for line in OTHER_OPTIONS.split("\n"):
        with_tournament.ok(*line.split())
    with_tournament.ok("export", "1", "-o", str(with_tournament.home / "game.csv"))
    game = with_tournament.game(1)
    shutil.copy(game, game.with_name("game (1).json"))
    with_tournament("undo", "--game", "1")
    for line in WITH_A_COPY.split("\n"):
        with_tournament(*line.split())
    game.write_bytes(b"")
    with_tournament.ok("doctor", "--restore", "1")
    assert {kind.__name__ for kind in registered() - seen} == set()
