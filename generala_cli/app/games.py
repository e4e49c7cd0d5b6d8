"""Games as wholes: start, start again, choose, list, delete."""

from collections.abc import Callable, Sequence

from generala_cli.errors import FileTrouble, Mistyped, NotFound
from generala_cli.facts import Fact
from generala_cli.game.events import GameStarted
from generala_cli.game.game import Game
from generala_cli.game.seating import Openings, find_player, seats
from generala_cli.game.starting import again, start
from generala_cli.rules.dice import parse_faces
from generala_cli.rules.options import with_settings
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.record import Glance, StoredGame
from generala_cli.store.store import Store


class Agreed(Fact):
    """What is agreed before a game, as typed, or as the configuration or the program has it."""

    names: Sequence[str]
    settings: Sequence[str] = ()
    teams: Sequence[str] = ()
    uneven: bool = False
    partners: bool = False
    openings: Sequence[str] = ()
    stake: str
    unit: str
    payout: str
    label: str = ""


class Begun(Fact):
    """A game that was started, or would be."""

    number: int
    game: Game
    saved: bool


class GameLine(Fact):
    """One line of the list of games.

    Attributes:
        started: when. players: in the order of play. next: whose turn it is; None when the game is over.
    """

    number: int
    started: str
    label: str
    rules: str
    players: tuple[str, ...]
    next: str | None
    winners: tuple[str, ...]


class GameList(Fact):
    """Every game, oldest first, and what is wrong with the ones that cannot be read."""

    current: int | None
    lines: tuple[GameLine, ...]
    damaged: tuple[tuple[int, FileTrouble], ...] = ()


def new(store: Store, rules: RuleSet, agreed: Agreed, *, dry_run: bool = False) -> Begun:
    """Start a game and make it current.

    Raises:
        GeneralaError: something of what was agreed makes no sense; nothing was written.
    """
    house = with_settings(rules, [_key_value(text, "--set", "throws=3") for text in agreed.settings])
    started = start(
        house,
        agreed.names,
        openings=_openings(agreed.openings, agreed.names, house),
        teams=agreed.teams,
        uneven=agreed.uneven,
        partners=agreed.partners,
        stake=agreed.stake,
        unit=agreed.unit,
        payout=agreed.payout,
        label=agreed.label,
    )
    return _begin(store, lambda: started, dry_run)


def rematch(
    store: Store,
    reference: str | None,
    *,
    label: str = "",
    openings: Sequence[str] = (),
    dry_run: bool = False,
) -> Begun:
    """Start a game with the players, sides, rules and stakes of another, the current one by default.

    The seats are those of that game, unless there are new opening throws.

    Raises:
        GeneralaError: there is no such game, or the openings make no sense.
    """
    last = store.load(store.find(reference)).record.started
    thrown = _openings(openings, last.players, last.rules)
    return _begin(store, lambda: again(last, label=label, openings=thrown), dry_run)


def use(store: Store, reference: str, *, dry_run: bool = False) -> Begun:
    """Make a game the current one.

    Raises:
        GeneralaError: there is no such game, or it cannot be read.
    """
    stored = store.load(store.find(reference))
    if not dry_run:
        store.use(stored.number)
    return Begun(number=stored.number, game=stored.history.game, saved=not dry_run)


def list_games(store: Store, tell: Callable[[int, int], None] = lambda _done, _total: None) -> GameList:
    """Every game there is; one that cannot be read harms no other.

    Args:
        tell: called with how many of how many games have been read.

    A game that is over is listed by what its file says of itself, which is sealed. Were such a file made to
    lie, with a checksum to match, `doctor` and every command that uses the game would say so, not the list.
    """
    lines: list[GameLine] = []
    damaged: list[tuple[int, FileTrouble]] = []
    store.tell_all_copies()
    numbers = store.numbers()
    for done, number in enumerate(numbers):
        tell(done, len(numbers))
        try:
            found = store.glance(number)
            lines.append(_line_at_a_glance(found) if found and found.winners else _line(store.load(number)))
        except FileTrouble as error:
            damaged.append((number, error))
        except NotFound:  # deleted while we looked
            continue
    return GameList(current=_current(store), lines=tuple(lines), damaged=tuple(damaged))


def _current(store: Store) -> int | None:
    """The current game; where the file that names it is damaged, the list still helps to choose another."""
    try:
        return store.current_or_none()
    except FileTrouble:
        return None


def to_delete(store: Store, reference: str) -> int:
    """The number of the game that would be deleted; it need not be readable.

    Raises:
        NotFound, Ambiguous: there is no such game.
    """
    return store.find(reference)


def delete(store: Store, number: int) -> None:
    """Remove a game for ever.

    Raises:
        FileTrouble: it cannot be removed.
    """
    store.delete(number)


def _begin(store: Store, decide: Callable[[], GameStarted], dry_run: bool) -> Begun:
    stored = store.preview_new(decide) if dry_run else store.add(decide)
    return Begun(number=stored.number, game=stored.history.game, saved=not dry_run)


def _line(stored: StoredGame) -> GameLine:
    game = stored.history.game
    return GameLine(
        number=stored.number,
        started=stored.record.times[0],
        label=game.started.label,
        rules=game.rules.name,
        players=game.seats,
        next=game.to_move,
        winners=stored.record.winners,
    )


def _line_at_a_glance(found: Glance) -> GameLine:
    started = found.started
    return GameLine(
        number=found.game,
        started=found.at,
        label=started.label,
        rules=started.rules.name,
        players=seats(started.rules, started.players, dict(started.openings)),
        next=None,
        winners=found.winners,
    )


def _openings(texts: Sequence[str], names: Sequence[str], rules: RuleSet) -> Openings:
    """`Ana=55533` or `Ana=55533,12345`, once or more for a player; further throws break ties."""
    found: dict[str, tuple[tuple[int, ...], ...]] = {}
    for text in texts:
        name, dice = _key_value(text, "--opening", "Ana=55533", last=True)
        player = find_player(name, [name.strip() for name in names])
        found[player] = (*found.get(player, ()), *_throws(dice, rules))
    return found


def _throws(text: str, rules: RuleSet) -> Sequence[tuple[int, ...]]:
    """Hands set apart by commas; one hand may itself be written with commas or spaces."""
    faces = parse_faces([text], faces=rules.faces)
    sizes = {len(parse_faces([part], faces=rules.faces)) for part in text.split(",")}
    if len(faces) % rules.dice or ((len(sizes) > 1 or not sizes <= {1, rules.dice}) and "," in text):
        example = "55533"[: rules.dice] if rules.dice <= 5 else "1" * rules.dice
        raise Mistyped(f"{text!r} is not a whole opening throw", f"it has {rules.dice} dice, as {example}")
    return [faces[start : start + rules.dice] for start in range(0, len(faces), rules.dice)]


def _key_value(text: str, option: str, example: str, *, last: bool = False) -> tuple[str, str]:
    """Split at the first `=`, or the last one, since a name may hold it."""
    key, equals, value = text.rpartition("=") if last else text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise Mistyped(f"{option} {text!r} is not of the form KEY=VALUE", f"type it as {option} {example}")
    return key.strip(), value.strip()
