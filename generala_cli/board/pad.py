"""Turns that are entered on a phone: for one player only when it is their turn, or by the keeper for anybody.

A phone says which state of the game it saw. Where the game has moved on, nothing is written.
"""

from collections.abc import Mapping
from http import HTTPStatus
from threading import Lock
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generala_cli.board.documents import pad_options
from generala_cli.board.tokens import Viewer
from generala_cli.board.watching import Watcher, public_message
from generala_cli.errors import FileError, GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.game.decisions import decide, mark, options
from generala_cli.game.events import Amended
from generala_cli.game.game import Game
from generala_cli.game.history import History
from generala_cli.game.seating import find_player
from generala_cli.game.turnline import SCRATCH, TurnLine, parse
from generala_cli.render.documents import ErrorDocument, ErrorProblem
from generala_cli.render.hints import PAD, hint_in
from generala_cli.render.language import speaking, translated
from generala_cli.store.sealing import NOT_JSON
from generala_cli.store.store import GameMovedOn, Store, StoredGame
from generala_cli.store.subjects import is_number
from generala_cli.table import turns
from generala_cli.table.actions import entry_answer, undo_answer
from generala_cli.text import safe

Answer = tuple[HTTPStatus, Struct]
_Word = Annotated[str, Meta(max_length=100)]


class PadMove(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a phone sends: the game that it is about, and how many events that had when it was looked at."""

    game: Annotated[int, Meta(ge=1, lt=1_000_000_000)]
    seen: Annotated[int, Meta(ge=0)]


class PadTurn(PadMove, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn, in the parts of a line: a hand, its throw, the box, and whether that is given up.

    Attributes:
        player: for whom it was typed; by default the player to move.
    """

    dice: _Word = ""
    roll: _Word = ""
    category: _Word = ""
    scratch: bool = False
    player: _Word = ""


Sent = TypeVar("Sent", bound=PadMove)


class Pad:
    """Enters turns for phones, in the games that a board shows and in no other.

    Args:
        store: the player's games; what is entered gets the name of the pad.
    """

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self._store = store
        self._watcher = watcher
        self._entering = Lock()

    def finish(self) -> None:
        """Wait until what is being written is written, and let nothing more be."""
        self._entering.acquire()

    def options(self, viewer: Viewer, asked: Mapping[str, str], language: str) -> Answer:
        """Return the boxes that a hand may go to: of the game, dice and throw that are asked about."""
        with speaking(language):
            try:
                number = asked.get("game", "")
                stored = self._shown(int(number) if is_number(number) else 0).open(None)
                line = TurnLine(words=(asked.get("dice", "")[:100],), roll=asked.get("roll") or None)
                turn = parse(line, stored.game.rules, stored.game, unfinished=True)
                if turn.refusal is not None:
                    raise turn.refusal
                player = _player(viewer, stored.game, asked.get("player", "")[:100])
                turn = replace(turn, player=player)
                found = options(turn, stored.game, player)
                marked = mark(found, decide(stored.game, turn))
            except GeneralaError as error:
                return _refused(error)
            return HTTPStatus.OK, pad_options(turn.dice or (), found, marked)

    def enter(self, viewer: Viewer, action: str, body: bytes, language: str) -> Answer:
        """Write a turn, take the last one back, or put it back."""
        with speaking(language), self._entering:
            try:
                if action == "turn":
                    return HTTPStatus.OK, self._turn(viewer, _decoded(body, PadTurn))
                return HTTPStatus.OK, self._move(viewer, _decoded(body, PadMove), is_undo=action == "undo")
            except GeneralaError as error:
                return _refused(error)

    def _turn(self, viewer: Viewer, sent: PadTurn) -> Struct:
        store, stored = self._opened(viewer, sent)
        line = TurnLine(
            words=tuple(filter(None, (SCRATCH if sent.scratch else "", sent.dice))),
            roll=sent.roll or None,
            category=sent.category or None,
            player=_player(viewer, stored.game, sent.player),
        )
        return entry_answer(turns.enter(store, line))

    def _move(self, viewer: Viewer, sent: PadMove, *, is_undo: bool) -> Struct:
        store, stored = self._opened(viewer, sent)
        if viewer.kind == "player" and not (is_undo and _is_last(stored.history, viewer)):
            raise NotAllowed("a pad takes back only the last entry of its own player", "ask the keeper")
        return undo_answer(turns.undo(store) if is_undo else turns.redo(store))

    def _shown(self, number: int) -> Store:
        """Return the store for one game, which has to be on the board."""
        if number not in (game.number for game in self._watcher.games):
            raise NotFound("game {number} is not on the board", number=number)
        return replace(self._store, named=str(number))

    def _opened(self, viewer: Viewer, sent: PadMove) -> tuple[Store, StoredGame]:
        """Return the store of that one game as the phone saw it, and the game."""
        store = replace(self._shown(sent.game), seen=sent.seen)
        stored = store.open(None)
        if len(stored.file.events) != sent.seen:
            raise GameMovedOn("the game has moved on", "look at it, and enter it again if it still holds")
        name = "keeper" if viewer.kind == "keeper" else _seat_of(viewer, stored.game)
        return replace(store, entered_by=f"pad of {name}"), stored


def _decoded(body: bytes, kind: type[Sent]) -> Sent:
    try:
        return msgspec.json.decode(body, type=kind)
    except NOT_JSON as error:
        raise UsageError("the pad is not to be understood: {problem}", problem=safe(error)) from error


def _player(viewer: Viewer, game: Game, wanted: str) -> str:
    """Return for whom a pad enters now: the player to move, who has to be its own; the keeper's for any.

    Args:
        wanted: for whom the hand was typed; refused where a player's pad may not enter for them.
    """
    if game.to_move is None:
        raise NotAllowed("the game is over")
    player = find_player(wanted, game.seats) if wanted else game.to_move
    if viewer.kind == "keeper":
        return player
    if player != game.to_move or not viewer.is_of(player):
        raise NotAllowed("it is the turn of {player}", "wait for yours", player=safe(game.to_move))
    return game.to_move


def _seat_of(viewer: Viewer, game: Game) -> str:
    """Return the name that a pad's player has in a game."""
    for seat in game.seats:
        if viewer.is_of(seat):
            return seat
    raise NotAllowed("nobody of that name plays this game")


def _is_last(history: History, viewer: Viewer) -> bool:
    """Whether the last thing that was done is an entry of the pad's player."""
    last = history.done[-1] if history.done else None
    return (
        last is not None
        and last.entry is not None
        and not isinstance(last.action, Amended)
        and viewer.is_of(last.entry.player)
    )


def _refused(error: GeneralaError) -> Answer:
    """Return why nothing was written, in the language of the phone."""
    status = HTTPStatus.BAD_REQUEST
    if isinstance(error, GameMovedOn):
        status = HTTPStatus.CONFLICT
    elif isinstance(error, FileError):
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        return status, ErrorDocument(
            error=ErrorProblem(kind=error.kind, message=safe(translated(public_message(error))), hint="")
        )
    problem = ErrorProblem(
        kind=error.kind, message=safe(translated(error.message)), hint=safe(translated(hint_in(PAD, error)))
    )
    return status, ErrorDocument(error=problem)
