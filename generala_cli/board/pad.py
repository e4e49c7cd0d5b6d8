"""Handle requests from phones: turns, the keeper's forms, and requests for a seat.

A phone says which state of the game it saw. If the game has moved on, nothing is written. A request that is
repeated after a lost answer has the same id and takes effect only once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from http import HTTPStatus
from math import ceil
from threading import Lock
from time import time
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.app.naming import check_one_name
from generala_cli.app.programs import PROGRAM, without_program
from generala_cli.app.rule_sets import usable_names
from generala_cli.board.documents import (
    AskingPhone,
    JoinCode,
    PadDone,
    PadForm,
    PadOptions,
    PageSeat,
    SeatedPlayer,
    pad_options,
)
from generala_cli.board.gate import Gate
from generala_cli.board.keeper import FORMS, Asked, KeeperForm, offered, state
from generala_cli.board.paying import pay_debt, undo_payment, was_paid
from generala_cli.board.seats import ASK_AGAIN_AFTER, SeatBook, Token, Viewer, ViewerKind
from generala_cli.board.watching import Numbers, Watcher, chosen, entered_last, public_message
from generala_cli.errors import FileError, GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.game.amending import correct_options, turn_entry
from generala_cli.game.decisions import decide, mark, options, player_left_error
from generala_cli.game.events import Amended, Entry, Redone, Undone
from generala_cli.game.game import Game
from generala_cli.game.history import replay
from generala_cli.game.starting import parse_name
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, is_in_named_box, parse
from generala_cli.messages import lazy, lazy_count
from generala_cli.packages import is_installed
from generala_cli.render import lines
from generala_cli.render.documents import ErrorDocument, ErrorProblem
from generala_cli.render.forms import Form, names_in
from generala_cli.render.hints import PAD, full_message, hint_in
from generala_cli.render.language import speaking, translate, translated
from generala_cli.rules.dice import Dice
from generala_cli.rules.notation import SCRATCH, VERBS
from generala_cli.rules.ruleset import Category
from generala_cli.store.game_lists import known_players
from generala_cli.store.gamefile import KEEPERS_PAD, PAD_OF
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.sealing import NOT_JSON
from generala_cli.store.store import GameMovedOn, Store, StoredGame, moved_on_error
from generala_cli.store.subjects import is_number
from generala_cli.table import turns
from generala_cli.text import find_player, find_same, one_slip_apart, safe

Response = tuple[HTTPStatus, Struct]
_Word = Annotated[str, Meta(max_length=100)]
_Id = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
_MOST_REMEMBERED = 500
"""How many answers to remember for phones that did not receive theirs."""
_MOST_KNOWN = 24
"""How many names to offer to a guest."""
_MOST_WAITING, _MOST_WAITING_AT_TOURNAMENT = 30, 200
_MOST_NAMED = 3
"""How many boxes of a joker to name."""
_LATEST = 40
"""How many games to search for a game that a repeated request may have started."""


class Sent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request from a phone. `again` is set if an earlier copy got no answer."""

    id: _Id
    again: bool = False


class PadMove(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request about a game; `seen` is the number of events that the phone saw."""

    game: Annotated[int, Meta(ge=1, lt=1_000_000_000)]
    seen: Annotated[int, Meta(ge=0)]


class PadTurn(PadMove, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn in parts. Without a player, the hand is for the player to move."""

    dice: _Word = ""
    roll: _Word = ""
    category: _Word = ""
    scratch: bool = False
    player: _Word = ""


class PadCorrection(PadTurn, frozen=True, kw_only=True, forbid_unknown_fields=True):
    turn: Annotated[int, Meta(ge=1)]


class PadFilled(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A completed form, with the state it came with; `game` is 0 if no game is shown.

    `spellings` says for known names whether a similar name in the form is the same person.
    """

    game: Annotated[int, Meta(ge=0, lt=1_000_000_000)]
    name: _Word
    state: _Word
    values: Annotated[
        dict[_Word, Annotated[str, Meta(max_length=2000)]],
        Meta(max_length=60),
    ]
    spellings: Annotated[dict[_Word, bool], Meta(max_length=1000)] = {}


class PadJoin(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a seat. `is_new` confirms a name that is similar to a known one."""

    name: _Word
    token: Token
    is_new: bool = False


class PadDoor(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    is_closed: bool


class SimilarName(NotAllowed):
    """The name may be a typing error for the known name in the hint."""

    kind = "similar-name"


class PadAsking(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=0)]


class PadSeat(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    player: _Word


class PadPaid(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A debt that was paid, as the phone showed it."""

    debtor: _Word
    creditor: _Word
    amount: _Word
    unit: _Word


class PadUnpaid(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    payment: _Id


class Action(Struct, frozen=True, kw_only=True):
    kinds: frozenset[ViewerKind]
    shape: type[Sent]
    act: "Callable[[Pad, Viewer, Any], str]"


class Pad:
    """Executes requests from phones, but only in games that the board shows."""

    def __init__(self, store: Store, watcher: Watcher, book: SeatBook, house_rules: HouseRules) -> None:
        self._store = store
        self._watcher = watcher
        self._book = book
        self._house_rules = house_rules
        self._entering = Lock()
        self._gate = Gate()
        self.own_code: JoinCode | UnsetType = UNSET
        self._answers: dict[tuple[Viewer, str], Response] = {}

    def finish(self) -> None:
        """Wait for the current write, then block all others."""
        self._entering.acquire()

    def seat(self, viewer: Viewer, numbers: Numbers = None) -> PageSeat:
        seats, watcher = self._book.now, self._watcher
        shown = chosen(watcher.games, numbers)
        match viewer.kind:
            case "guest" | "asking":
                known = tuple(name for name in watcher.known_players if name not in seats.present)
                again_in = max(0, ceil(viewer.refused_at + ASK_AGAIN_AFTER - time()))
                return PageSeat(
                    kind=viewer.kind,
                    name=viewer.player,
                    known=known[:_MOST_KNOWN],
                    closed=seats.is_closed,
                    again_in=again_in if viewer.refused_at else UNSET,
                )
            case "player":
                return PageSeat(
                    kind=viewer.kind,
                    name=viewer.player,
                    players={
                        str(seen.number): name
                        for seen in shown
                        if seen.stored is not None
                        for name in seen.stored.game.seats
                        if viewer.is_of(name)
                    },
                    owed=tuple(watcher.debts_of(viewer.player)),
                    paid=watcher.last_payment(viewer.player),
                )
            case "keeper":
                return PageSeat(
                    kind=viewer.kind,
                    asking=tuple(
                        AskingPhone(
                            number=each.number,
                            name=each.name,
                            replaces=(seat := seats.seat(each.name)) is not None and seat.has_phone,
                        )
                        for each in seats.waiting
                    ),
                    closed=seats.is_closed,
                    seats=tuple(SeatedPlayer(name=each.name, phone=each.has_phone) for each in seats.seats),
                    forms=tuple(offered(watcher, shown)),
                    own_code=self.own_code,
                    owed=tuple(watcher.debts_of(None)),
                    paid=watcher.last_payment(None),
                )
            case "watcher" | "gone":
                return PageSeat(kind=viewer.kind)

    def options(self, viewer: Viewer, asked: Mapping[str, str], language: str) -> Response:
        with speaking(language):
            try:
                number = asked.get("game", "")
                stored = self._shown(int(number) if is_number(number) else 0).open(None)
                if "turn" in asked:
                    return HTTPStatus.OK, _correct_options(viewer, asked, stored.game)
                typed = _turn_text(asked.get("dice", "")[:100], stored.game)
                line = TurnLine(words=(typed,), roll=asked.get("roll") or None)
                turn = parse(line, stored.game.rules, stored.game, unfinished=True)
                if turn.refusal is not None:
                    raise turn.refusal
                player = _player(viewer, stored.game, asked.get("player", "")[:100])
                turn = replace(turn, player=player)
                found = options(turn, stored.game, player)
                decision = decide(stored.game, turn)
                notes = _notes(stored.game, turn, player, decision)
            except GeneralaError as error:
                return _refused(error)
            return HTTPStatus.OK, pad_options(turn.dice or (), found, mark(found, decision), notes)

    def form(self, asked: Mapping[str, str], language: str) -> Response:
        with speaking(language):
            try:
                number = asked.get("game", "")
                game = int(number) if is_number(number) else 0
                name = asked.get("name", "")
                typed = {key[1:]: value for key, value in asked.items() if key.startswith(".")}
                kind, request, now = self._asked(name, game, typed, self._store)
                form = kind.make(request)
            except GeneralaError as error:
                return _refused(error)
            return HTTPStatus.OK, PadForm(
                name=name,
                title=form.title,
                question=form.question,
                confirm=form.confirm or translated(kind.label),
                state=now,
                fields=tuple(form.fields),
            )

    def enter(self, viewer: Viewer, action: str, body: bytes, language: str) -> Response:
        doing = ACTIONS[action]
        with speaking(language), self._entering:
            try:
                try:
                    sent = msgspec.json.decode(body, type=doing.shape)
                except NOT_JSON as error:
                    raise UsageError(
                        "invalid request from the pad: {problem}", problem=safe(error)
                    ) from error
                known = self._answers.get((viewer, sent.id))
                if known is not None:
                    return known
                answer = HTTPStatus.OK, PadDone(message=doing.act(self, viewer, sent))
            except GeneralaError as error:
                return _refused(error)
            self._answers[viewer, sent.id] = answer
            if len(self._answers) > _MOST_REMEMBERED:
                del self._answers[next(iter(self._answers))]
            return answer

    def turn(self, viewer: Viewer, sent: PadTurn) -> str:
        store, stored = self._opened(viewer, sent)
        if len(stored.file.events) != sent.seen:
            written = self._entry_sent_before(viewer, sent, stored)
            if written is None:
                raise moved_on_error()
            return lines.entry_text(stored.game, written)
        entered = turns.enter(store, _line(viewer, sent, stored.game))
        entry, text = entered.entry, lines.entry_text(entered.game, entered.entry)
        if not entered.is_joker or entry.dice is None or entry.category is None:
            return text
        box = stored.game.rules.category(entry.category)
        return f"{text}. {_joker_note(stored.game, entry.player, entry.dice, (box,))}"

    def correct(self, viewer: Viewer, sent: PadCorrection) -> str:
        store, stored = self._opened(viewer, sent)
        if len(stored.file.events) != sent.seen:
            event = self._event_sent_before(viewer, sent, stored)
            if not isinstance(event, Amended) or event.turn != sent.turn:
                raise moved_on_error()
            return lines.latest(stored)
        line = TurnLine(
            words=(sent.dice,),
            roll=sent.roll or None,
            category=sent.category or None,
            player=sent.player or None,
        )
        amended = turns.amend(store, sent.turn, line, scratched=sent.scratch)
        if amended.saved:
            return lines.latest(store.load(amended.number))
        return lines.entry_text(amended.game, amended.entry)

    def move(self, viewer: Viewer, sent: PadMove, *, is_undo: bool) -> str:
        store, stored = self._opened(viewer, sent)
        if len(stored.file.events) != sent.seen:
            event = self._event_sent_before(viewer, sent, stored)
            if not isinstance(event, Undone if is_undo else Redone):
                raise moved_on_error()
            return lines.latest(stored)
        steps = stored.history.done if is_undo else stored.history.undone
        if viewer.kind == "player" and not viewer.is_of(entered_last(steps)):
            raise NotAllowed("the last entry is not yours", "ask the keeper")
        moved = turns.undo(store) if is_undo else turns.redo(store)
        return lines.moved_text(moved.game, moved.steps[-1], undone=is_undo)

    def fill(self, viewer: Viewer, sent: PadFilled) -> str:
        store = replace(self._store, next_id=lambda: sent.id, entered_by=_entered_by(viewer, None))
        if done := self._done_before(sent):
            return done
        kind, asked, now = self._asked(sent.name, sent.game, sent.values, store)
        if now != sent.state:
            raise moved_on_error()
        form = kind.make(asked)
        values = {**{field.key: "" for field in form.fields}, **sent.values}
        if kind.names:
            values[kind.names] = self._spelled(sent, form, kind.names)
        return form.send(values)

    def _spelled(self, sent: PadFilled, form: Form, key: str) -> str:
        """Return the names in a field, spelled as known; SimilarName if the keeper has to decide."""
        typed = sent.values.get(key, "")
        known = {each.name for each in self._book.now.seats}.union(known_players(self._store))
        if sent.name == "rename":
            known.discard(sent.values.get("player", ""))
        if all(field.kind != "names" for field in form.fields if field.key == key):
            return _known_spelling(typed.strip(), known, sent.spellings)
        names = names_in(typed).names
        found = [_known_spelling(name, known, sent.spellings) for name in names]
        return typed if found == [*names] else ", ".join((*found, ""))

    def pay(self, viewer: Viewer, sent: PadPaid) -> str:
        store = replace(self._store, next_id=lambda: sent.id, entered_by=_entered_by(viewer, None))
        return pay_debt(store, viewer, sent.id, (sent.debtor, sent.creditor, sent.amount, sent.unit))

    def unpay(self, viewer: Viewer, sent: PadUnpaid) -> str:
        store = replace(self._store, entered_by=_entered_by(viewer, None))
        return undo_payment(store, viewer, sent.payment)

    def join(self, viewer: Viewer, sent: PadJoin) -> str:
        self._gate.count(viewer.device, viewer.address)
        typed = parse_name(sent.name)
        known = {each.name for each in self._book.now.seats}.union(self._watcher.known_players)
        name = find_same(typed, known)
        if name is None:
            check_one_name(name := typed)
            if not sent.is_new:
                _ask_for_spelling(name, known)
        most = _MOST_WAITING_AT_TOURNAMENT if self._watcher.is_of_tournament else _MOST_WAITING
        self._book.change(
            lambda seats: seats.asked(name, sent.token, device=viewer.device, most=most, now=time())
        )
        return translate("{player} asks for a seat", player=safe(name))

    def let_in(self, viewer: Viewer, sent: PadAsking) -> str:
        self._book.change(lambda seats: seats.let_in(sent.number))
        return ""

    def turn_away(self, viewer: Viewer, sent: PadAsking) -> str:
        self._book.change(lambda seats: seats.turned_away(sent.number, now=time()))
        return ""

    def let_all_in(self, viewer: Viewer, sent: Sent) -> str:
        self._book.change(lambda seats: seats.all_let_in())
        return ""

    def turn_all_away(self, viewer: Viewer, sent: Sent) -> str:
        self._book.change(
            lambda seats: seats.turned_away(*(each.number for each in seats.waiting), now=time())
        )
        return ""

    def door(self, viewer: Viewer, sent: PadDoor) -> str:
        self._book.change(lambda seats: replace(seats, is_closed=sent.is_closed))
        return ""

    def take_seat(self, viewer: Viewer, sent: PadSeat) -> str:
        self._book.change(lambda seats: seats.without_phone(sent.player))
        return translate("no phone has {player}'s seat now", player=safe(sent.player))

    def _shown(self, number: int) -> Store:
        if number not in (game.number for game in self._watcher.games):
            raise NotFound("game {number} is not on the board", number=number)
        return replace(self._store, named=str(number))

    def _opened(self, viewer: Viewer, sent: PadMove) -> tuple[Store, StoredGame]:
        store = replace(self._shown(sent.game), seen=sent.seen)
        stored = store.open(None)
        return replace(store, entered_by=_entered_by(viewer, stored.game)), stored

    def _asked(
        self, name: str, game: int, typed: Mapping[str, str], store: Store
    ) -> tuple[KeeperForm, Asked, str]:
        kind = FORMS.get(name)
        if kind is None:
            raise NotFound("there is no such form")
        if kind.leads_elsewhere and self._watcher.is_fixed:
            raise NotAllowed("this board shows only one game")
        if kind.depends_on == "game":
            shown = self._shown(game)
            seen = len(shown.open(None).file.events)
            store = replace(store, named=shown.named, seen=seen)
        asked = Asked(
            store=store,
            game=game,
            typed=typed,
            house_rules=self._house_rules,
            rule_sets=usable_names(self._house_rules),
            present=self._book.now.present,
        )
        return kind, asked, state(store, kind, game, self._store.current_or_none())

    def _event_sent_before(self, viewer: Viewer, sent: PadMove, stored: StoredGame) -> object:
        """Return the event after the state seen, if an earlier copy of the request may have written it."""
        if not sent.again or len(stored.file.events) <= sent.seen:
            return None
        recorded = stored.file.events[sent.seen]
        return recorded.event if recorded.by == _entered_by(viewer, stored.game) else None

    def _entry_sent_before(self, viewer: Viewer, sent: PadTurn, stored: StoredGame) -> Entry | None:
        event = self._event_sent_before(viewer, sent, stored)
        before = replay(stored.file.agreed, [each.event for each in stored.file.events[: sent.seen]]).game
        try:
            line = _line(viewer, sent, before)
            decided = decide(before, parse(line, before.rules, before))
        except GeneralaError:
            return None
        return event if event == decided and isinstance(event, Entry) else None

    def _done_before(self, sent: PadFilled) -> str:
        for number in reversed(self._store.numbers()[-_LATEST:]):
            file = self._store.glance(number)
            if file is not None and file.id == sent.id:
                if sent.state == str(self._store.current_or_none()):  # the board was killed between two steps
                    self._store.use(number)
                return translate("game {number} was started", number=number)
        is_paid = is_installed("ledger") and was_paid(self._store, sent.id)
        return translate("it was recorded") if is_paid else ""


ACTIONS: Mapping[str, Action] = {
    "turn": Action(kinds=frozenset({"player", "keeper"}), shape=PadTurn, act=Pad.turn),
    "correct": Action(kinds=frozenset({"keeper"}), shape=PadCorrection, act=Pad.correct),
    "undo": Action(
        kinds=frozenset({"player", "keeper"}),
        shape=PadMove,
        act=lambda pad, viewer, sent: pad.move(viewer, sent, is_undo=True),
    ),
    "redo": Action(
        kinds=frozenset({"player", "keeper"}),
        shape=PadMove,
        act=lambda pad, viewer, sent: pad.move(viewer, sent, is_undo=False),
    ),
    "form": Action(kinds=frozenset({"keeper"}), shape=PadFilled, act=Pad.fill),
    "pay": Action(kinds=frozenset({"player", "keeper"}), shape=PadPaid, act=Pad.pay),
    "unpay": Action(kinds=frozenset({"player", "keeper"}), shape=PadUnpaid, act=Pad.unpay),
    "join": Action(kinds=frozenset({"guest", "asking"}), shape=PadJoin, act=Pad.join),
    "let-in": Action(kinds=frozenset({"keeper"}), shape=PadAsking, act=Pad.let_in),
    "turn-away": Action(kinds=frozenset({"keeper"}), shape=PadAsking, act=Pad.turn_away),
    "let-all-in": Action(kinds=frozenset({"keeper"}), shape=Sent, act=Pad.let_all_in),
    "turn-all-away": Action(kinds=frozenset({"keeper"}), shape=Sent, act=Pad.turn_all_away),
    "door": Action(kinds=frozenset({"keeper"}), shape=PadDoor, act=Pad.door),
    "take-seat": Action(kinds=frozenset({"keeper"}), shape=PadSeat, act=Pad.take_seat),
}
"""All allowed requests, by the last part of their address."""


def may_send(viewer: Viewer, action: str) -> bool:
    return action in ACTIONS and viewer.kind in ACTIONS[action].kinds


def _known_spelling(name: str, known: AbstractSet[str], decided: Mapping[str, bool]) -> str:
    """Return a name, or the known name that is decided to be the same person."""
    if find_same(name, known) is not None:
        return name
    same = next((each for each, is_same in decided.items() if is_same and one_slip_apart([each, name])), None)
    if same is None:
        _ask_for_spelling(name, known - decided.keys())
    return same or name


def _ask_for_spelling(name: str, known: Iterable[str]) -> None:
    for each in sorted(known):
        if one_slip_apart([each, name]):
            raise SimilarName("is {name} the same person as {known}?", each, name=name, known=safe(each))


def _correct_options(viewer: Viewer, asked: Mapping[str, str], game: Game) -> PadOptions:
    if viewer.kind != "keeper":
        raise NotAllowed("only the keeper can correct a turn", "ask the keeper")
    number = int(asked["turn"]) if is_number(asked["turn"]) else 0
    old = turn_entry(game, number)
    player = find_player(asked.get("player", "")[:100] or old.player, game.seats)
    line = TurnLine(words=(asked.get("dice", "")[:100],), roll=asked.get("roll") or lines.throw_shown(old))
    last = max(old.roll, game.rules.throws)
    turn = parse(line, game.rules, game, unfinished=True, last_throw=last, corrects=old)
    if turn.refusal is not None:
        raise turn.refusal
    found = correct_options(game, number, replace(turn, player=player))
    marked = next((each for each in found if each.wins or each.key == (old.category, old.scratched)), None)
    notes = [] if found else [translate("no box can take this hand in turn {turn}", turn=number)]
    return pad_options(turn.dice or (), found, marked, notes)


def _turn_text(typed: str, game: Game) -> str:
    """Return a line as the shell reads it. Refuse a letter command at its start, such as `a`."""
    words = typed.split()
    if words[:1] != [PROGRAM] or not is_in_named_box(words, game):
        words = without_program(words)
    if words and VERBS.get(words[0].casefold(), "scratch") != "scratch":
        raise UsageError("a pad takes only turns", "type the dice first")
    return " ".join(words)


def _line(viewer: Viewer, sent: PadTurn, game: Game) -> TurnLine:
    typed = _turn_text(sent.dice, game)
    is_any = viewer.kind == "keeper" and not sent.player  # the line may name anyone
    return TurnLine(
        words=tuple(filter(None, (SCRATCH if sent.scratch else "", typed))),
        roll=sent.roll or None,
        category=sent.category or None,
        player=None if is_any else _player(viewer, game, sent.player),
    )


def _entered_by(viewer: Viewer, game: Game | None) -> str:
    if viewer.kind == "keeper":
        return KEEPERS_PAD
    if game is None:
        return f"{PAD_OF}{viewer.player}"
    return f"{PAD_OF}{_seat_of(viewer, game)}"


def _player(viewer: Viewer, game: Game, wanted: str) -> str:
    """Return the player of a typed hand. A player's pad may enter only its own turn, the keeper's any."""
    if game.to_move is None:
        raise NotAllowed("the game is over")
    player = find_player(wanted, game.seats) if wanted else game.to_move
    if viewer.kind == "keeper":
        return player
    if (own := _seat_of(viewer, game)) in game.left:
        raise player_left_error(own)
    if player != game.to_move or not viewer.is_of(player):
        raise NotAllowed("it is {player}'s turn", "wait for yours", player=safe(game.to_move))
    return game.to_move


def _seat_of(viewer: Viewer, game: Game) -> str:
    for seat in game.seats:
        if viewer.is_of(seat):
            return seat
    raise NotAllowed("this game has no player of that name")


def _notes(game: Game, turn: Turn, player: str, decision: object) -> list[str]:
    notes = []
    if isinstance(decision, GeneralaError):
        notes.append(safe(translated(full_message(decision, PAD))))
    if turn.dice and game.is_joker(player, turn.dice):
        notes.append(_joker_note(game, player, turn.dice, game.allowed_categories(player, turn.dice)))
    saved = (turn.roll or 0) - game.rules.throws
    if saved > 0:
        notes.append(
            translated(lazy_count("it uses {count} saved throw", "it uses {count} saved throws", saved))
        )
    if len(game.fillable_categories(player)) < len(game.open_categories(player)):
        due = ", ".join(map(lines.named, game.fillable_categories(player)))
        notes.append(translated(lazy("due now: {categories}", categories=due)))
    return notes


def _joker_note(game: Game, player: str, dice: Dice, boxes: Sequence[Category]) -> str:
    extra = game.extra_bonus_for(player, dice)
    names = ", ".join(map(lines.named, boxes))
    if len(boxes) > _MOST_NAMED:
        return translate("Joker: {points:+}, goes to any open box", points=extra)
    return translate("Joker: {points:+}, goes to {boxes}", points=extra, boxes=names)


def _refused(error: GeneralaError) -> Response:
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
