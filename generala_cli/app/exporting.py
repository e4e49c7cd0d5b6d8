"""Games for any other tool: which ones, as their files tell them, and in which form they are written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app import games as app_games
from generala_cli.app.defaults import check_defaults
from generala_cli.app.rulebook import check_house
from generala_cli.app.views import standing_lines
from generala_cli.errors import FileTrouble, GeneralaError, Mistyped, NotAllowed, NotFound
from generala_cli.game.events import Agreed, Entry, Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.history import History
from generala_cli.game.money import POINT
from generala_cli.messages import Message, clauses, tell
from generala_cli.store import payments
from generala_cli.store.backup import ConfigPart, Part, PaymentsPart, RulesPart
from generala_cli.store.gamefile import GameFile
from generala_cli.store.houses import Houses, read_text, write_whole
from generala_cli.store.store import HOW_TO_START, Store, StoredGame
from generala_cli.store.subjects import ASIDE, of_game
from generala_cli.text import choose, safe, unprintable

STDOUT = "-"
Tell = Callable[[int, int], None]
"""Called with how many of how many games have been read."""

_UNLIKELY = (LookupError, ValueError, TypeError, ArithmeticError, AssertionError)
"""What comes of a file that is sealed, and whose events cannot have happened."""


class Turn(Struct, frozen=True, gc=False):
    """What a turn is left with, when that was entered, and the points of upper bonus that it earned."""

    number: int
    at: datetime
    entry: Entry
    upper_bonus: int


class Played(Struct, frozen=True, kw_only=True, dict=True):
    """A game as its file tells it; sealed, and decided again only where `judged` holds that."""

    file: GameFile
    judged: History | None = None

    @cached_property
    def _entered(self) -> Sequence[Turn]:
        """Its events that are entries, as turns."""
        return [
            Turn(each.n, each.at, each.event, 0)
            for each in self.file.events
            if isinstance(each.event, (Scored, Scratched))
        ]

    @property
    def is_plain(self) -> bool:
        """Whether nothing but entries was made, so that its events are its turns."""
        return self.file.agreed.rules.upper_bonus is None and len(self._entered) == len(self.file.events)

    @cached_property
    def history(self) -> History:
        """What its events come to."""
        if self.judged is not None:
            return self.judged
        history = History(self.file.agreed)
        for recorded in self.file.events:
            history.add(recorded.event)
        return history

    @property
    def game(self) -> Game:
        """As it stands."""
        return self.history.game

    @property
    def agreed(self) -> Agreed:
        """What holds now."""
        return self.file.agreed if self.is_plain else self.game.agreed

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.file.result.next is None

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """In order, under the names that the players have now."""
        if self.is_plain:
            return self._entered
        lines = standing_lines(StoredGame(file=self.file, history=self.history, seen=None))
        return [
            Turn(line.turn, line.recorded.at, line.entry, line.upper_bonus)
            for line in lines
            if line.turn is not None and line.entry is not None
        ]

    @property
    def instant_winner(self) -> str | None:
        """Who won at once: no turn is after that."""
        turns = self.turns
        return turns[-1].entry.player if turns and turns[-1].entry.instant_win else None


class LeftOut(Struct, frozen=True, kw_only=True):
    """What is not in an export, and why; `game` is its number, if it is one.

    Attributes:
        why: what is to be said of it.
        trouble: with its file, if it is that.
        note: the whole sentence.
    """

    what: str | Message
    why: Message
    game: int | None = None
    trouble: FileTrouble | None = None

    @property
    def note(self) -> Message:
        """That it is left out, and why."""
        if self.game is not None:
            return tell("game {number} is left out: {reason}", number=self.game, reason=self.why)
        return tell("{name} is left out: {reason}", name=self.what, reason=self.why)


def everything_else(store: Store, houses: Houses, config: Path, form: "Form") -> Iterator[Part | LeftOut]:
    """What the form has beside the games, of payments, rules, configuration; what is not well is told."""
    if form.backup is None:
        return
    try:
        paid = payments.load(store)
        if paid.seen is not None:
            yield PaymentsPart(text=paid.seen.decode())
    except FileTrouble as error:
        yield LeftOut(what=tell("payments"), why=error.message, trouble=error)
    if form.staked:  # books of what people owe each other
        return
    yield from _no_part(store)
    for name in houses.names():
        try:
            text = read_text(houses.path(name)) or ""
            check_house(name, text)
            yield RulesPart(name=name, text=text)
        except FileTrouble as error:
            yield LeftOut(what=tell("rules {name}", name=safe(name)), why=error.message, trouble=error)
    try:
        if text := read_text(config) or "":
            check_defaults(text, safe(config))
            yield ConfigPart(text=text)
    except FileTrouble as error:
        yield LeftOut(what=config.name, why=error.message, trouble=error)


def _no_part(store: Store) -> Iterator[LeftOut]:
    """Files that are in no backup: other versions of games, and what was set aside."""
    for number in store.taken():
        with suppress(FileTrouble):  # what is no folder is told with its game
            for copy in store.copies(of_game(number)):
                why = tell("it is another version of game {number}", number=number)
                yield LeftOut(what=safe(store.folder.path(copy)), why=why)
    if store.folder.is_there(ASIDE):
        what = safe(store.folder.path(ASIDE))
        yield LeftOut(what=what, why=tell("what was set aside is no part of a backup"))


Write = Callable[[Iterable[Played]], Iterable[str]]
"""What a form writes of games: texts that make a file up, in order."""


Backup = Callable[[Iterable[Played], Iterable[Part]], Iterable[str]]
"""The same of games, and of what else there is."""


class Form(Struct, frozen=True, kw_only=True):
    """A form in which games are written for another tool.

    Attributes:
        name: what `--format` takes. suffix: how its files are called.
        finished: whether games that are not over have no place in it.
        judged: whether every event is decided again; else its seal is enough, as for a list of games.
        undisputed: whether a game of which there are two versions has no place in it.
        staked: whether one that is for points has none.
        backup: what is written instead with --all, where that is more than the games.
    """

    name: str
    suffix: str
    write: Write
    finished: bool = False
    judged: bool = True
    undisputed: bool = False
    staked: bool = False
    backup: Backup | None = None


class Exported(Struct, frozen=True, kw_only=True):
    """What was written, or would be: the games in it, and where to; `file` is None for the answer itself."""

    form: Form
    games: tuple[int, ...]
    left_out: tuple[LeftOut, ...]
    text: str
    file: Path | None = None
    saved: bool = False


def find_form(forms: Sequence[Form], name: str | None, output: str) -> Form:
    """The form that is named, or else the one that the output's name ends like."""
    if name is not None:
        wanted = choose(name, (form.name for form in forms), "format")
        return next(form for form in forms if form.name == wanted)
    for form in forms:
        if output.casefold().endswith(form.suffix):
            return form
    names = "|".join(form.name for form in forms)
    raise Mistyped(
        "nothing says what format to write", "type --format {names}, or -o with such a file", names=names
    )


def numbers(
    store: Store,
    references: Sequence[str],
    *,
    everything: bool,
    since: str | None = None,
    played: Sequence[str] = (),
) -> list[int]:
    """The games meant, each once: those named, all or some of them, or else the one that is meant anyway."""
    is_some = since is not None or bool(played)
    if references and (everything or is_some):
        raise Mistyped("games are named one by one and all together", "leave out one of the two")
    if is_some:
        begun = None if since is None else app_games.moment(store, since)
        joined = app_games.joined(store) if played else ()
        some = app_games.chosen(app_games.list_games(store), played=played, since=begun, joined=joined)
        return [game.game for game in some.games]
    if everything:
        store.warn_of_all()
        return store.numbers()
    found = [store.find(reference) for reference in references] or [store.find(None)]
    for number in found:
        store.warn_of(number)
    return list(dict.fromkeys(found))


def export(
    store: Store,
    chosen: Sequence[int],
    form: Form,
    *,
    others: Iterable[Part | LeftOut] = (),
    is_named: bool = False,
    tell: Tell,
) -> Exported:
    """The games in that form, and in a backup the others.

    A game that cannot be used is left out, or where it `is_named`, refused.
    """
    done: list[int] = []
    left_out: list[LeftOut] = []
    unfits: list[Message] = []

    def readable() -> Iterator[Played]:
        for count, number in enumerate(chosen):
            tell(count, len(chosen))
            try:
                yield _fitting(store, number, form)
            except _Unfit as unfit:
                left_out.append(_left_out(number, _UNFIT[unfit.why][0]))
                unfits.append(_UNFIT[unfit.why][1].with_values(number=number))
            except FileTrouble as error:
                left_out.append(_left_out(number, error.message, error))
            except NotFound:  # deleted while we looked
                continue
            else:
                done.append(number)

    found = list(others)
    parts = [part for part in found if not isinstance(part, LeftOut)]
    if form.backup is not None and found:
        text = "".join(form.backup(readable(), parts))
    else:
        text = "".join(form.write(readable()))
    if is_named and (troubled := [each.trouble for each in left_out if each.trouble is not None]):
        raise troubled[0]
    if not done and not parts:
        raise _nothing(left_out, unfits)
    left_out += [each for each in found if isinstance(each, LeftOut)]
    return Exported(form=form, games=tuple(done), left_out=tuple(left_out), text=text)


def _nothing(left_out: Sequence[LeftOut], unfits: Sequence[Message]) -> GeneralaError:
    """Why there is nothing to write."""
    if not left_out:
        return NotFound(
            "no game is like that", clauses([tell("generala games lists them all"), HOW_TO_START])
        )
    return left_out[0].trouble or NotAllowed(unfits[0], "generala games tells which are over")


def _left_out(number: int, why: Message, trouble: FileTrouble | None = None) -> LeftOut:
    return LeftOut(what=tell("game {number}", number=number), game=number, why=why, trouble=trouble)


_UNFIT: Mapping[Literal["unfinished", "for points"], tuple[Message, Message]] = {
    "unfinished": (
        tell("is not over", context="game"),
        tell("there is nothing to export: game {number} is not over"),
    ),
    "for points": (
        tell("is for points, which nobody owes", context="game"),
        tell("there is nothing to export: game {number} is for points, which nobody owes"),
    ),
}
"""Why a game has no place in a form: as the reason that it is left out, and where there is no other."""


class _Unfit(Exception):
    """A game has no place in a form."""

    def __init__(self, why: Literal["unfinished", "for points"]) -> None:
        super().__init__(why)
        self.why = why


def _fitting(store: Store, number: int, form: Form) -> Played:
    if form.undisputed:
        stored = store.open_undisputed(str(number))
        played = Played(file=stored.file, judged=stored.history)
    else:
        played = _judged(store, number) if form.judged else _sealed(store, number)
    if form.finished and not played.is_over:
        raise _Unfit("unfinished")
    if form.staked and played.agreed.unit == POINT:
        raise _Unfit("for points")
    return played


def _judged(store: Store, number: int) -> Played:
    stored = store.load(number)
    return Played(file=stored.file, judged=stored.history)


def _sealed(store: Store, number: int) -> Played:
    """A game by its seal alone; one whose figures do not hang together is decided again, and refused."""
    file = store.sealed(number)
    if file is None:
        return _judged(store, number)
    played = Played(file=file)
    try:
        if _hangs_together(played):
            return played
    except _UNLIKELY:
        pass
    return _judged(store, number)


def _hangs_together(played: Played) -> bool:
    """Whether its texts may be shown, and its turns are those of its players on its sheet."""
    file, agreed = played.file, played.agreed
    texts = (*file.result.totals, agreed.label, agreed.unit, agreed.rules.name, agreed.rules.title)
    categories = {line.id for line in agreed.rules.categories}
    return (
        not any(unprintable(text, unassigned=False) for text in texts)
        and {turn.entry.player for turn in played.turns} <= file.result.totals.keys()
        and {turn.entry.category for turn in played.turns} - {None} <= categories
    )


def output_path(output: str) -> Path:
    """The file meant; a name that cannot be one is Mistyped, what is no ordinary file is trouble."""
    path = Path(output)
    if not path.name or "\0" in output:
        raise Mistyped("{name!r} is no name for a file", "give one, as -o games.csv", name=output)
    if path.exists() and not path.is_file():
        raise FileTrouble("{path} is not an ordinary file", "give another name", path=safe(path))
    return path


def write_file(exported: Exported, path: Path) -> Exported:
    """Write it whole or not at all; of a link, where that leads."""
    write_whole(path, exported.text)
    return replace(exported, file=path, saved=True)
