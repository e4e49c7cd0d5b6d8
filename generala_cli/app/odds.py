"""advise, odds, review: the choices with a hand, the chances of a game, and the cost of past choices."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import accumulate
from math import floor

from msgspec import Struct

from generala_cli.app.rule_sets import ReadInput, rules_to_check
from generala_cli.errors import Mistyped, NotAllowed, NotFound
from generala_cli.game.decisions import game_is_over, has_left, mover
from generala_cli.game.events import Agreed, Entry, Joined, Left
from generala_cli.game.game import Game, course, evolve, new_game, positions
from generala_cli.game.history import replay
from generala_cli.game.money import METHODS
from generala_cli.game.seating import find_player
from generala_cli.game.standings import Contender, contenders, outcome, total
from generala_cli.game.starting import MOST_PLAYERS
from generala_cli.game.turn import Turn, check_throw
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.messages import Message, listing, tell, tell_count
from generala_cli.odds.advice import Advice, Judged, advise, judge
from generala_cli.odds.chances import Ahead, Expected, Paying, Playing, chances_to_win, expected
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import Outlook, Prospect, outlooks, prospect
from generala_cli.progress import Progress
from generala_cli.remedies import StartGameOrAskInNone
from generala_cli.rules.dice import Dice
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import Category, RuleSet, possible_points, wins_with
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store, StoredGame

COSTLIEST = 3
MOST_SPARES = 20
_PROSPECT_TAKES, _OUTLOOKS_TAKE = 4, 8
"""Times as long as to solve the same sheet."""
_WHOLE = 10_000
_MOST = 600.0  # seconds that anyone may be made to wait
_TRIED = 1.0  # seconds of work, after which the rest can be estimated to a few percent
_UNITS = (
    (tell_count("this would take about {count} day", "this would take about {count} days", 2), 86_400),
    (tell_count("this would take about {count} hour", "this would take about {count} hours", 2), 3_600),
    (tell_count("this would take about {count} minute", "this would take about {count} minutes", 2), 60),
)
_LATER = tell("ask again when more of the sheet is filled")
_FEWER = tell("look at fewer games, as with --since or --rules")

ToWin = tuple[float, ...] | None
"""Each contender's chance to win; None where the game has too many different totals."""

Adviser = Callable[[int, str, Dice, int], Advice]
"""Returns the choices with a hand: when the game had so many events, of that player, on that throw."""


class HandQuestion(Struct, frozen=True, kw_only=True):
    """The sheet that a hand is for.

    Attributes:
        rules, settings, filled, spares: of a sheet given in no game; None and none for one of a game.
        instant_value: what an instant win adds to the points on the sheet, in place of all that is still
            open; None: what leads to the largest total still possible.
    """

    rules: str | None = None
    settings: Sequence[str] = ()
    filled: Sequence[str] = ()
    spares: int | None = None
    instant_value: int | None = None


class Advised(Struct, frozen=True, kw_only=True):
    """The answer to a question about a hand.

    Attributes:
        number, player: the game and whose turn it is; None where the sheet was given.
        instant_value: what an instant win in this turn was taken to add; None where none can come.
        instant_value_given: whether that was asked for.
    """

    number: int | None
    player: str | None
    rules: RuleSet
    sheet: Sheet
    advice: Advice
    instant_value: int | None
    instant_value_given: bool


class Chance(Struct, frozen=True, kw_only=True):
    """The chances of a player or a side. `total` is what they have now."""

    contender: Contender
    total: int
    expected: Expected


class Chances(Struct, frozen=True, kw_only=True):
    """A game's odds, if everyone plays on for the best expected total; `number` is None in no game."""

    number: int | None
    game: Game
    chances: tuple[Chance, ...]


class ReviewedTurn(Struct, frozen=True, kw_only=True):
    """A turn of a past game: its luck, the cost of its choices, and the chances to win after it."""

    turn: int
    entry: Entry
    judged: Judged
    chances: ToWin


class ReviewedChange(Struct, frozen=True, kw_only=True):
    """Someone who came or left after so many turns, and the chances to win from then on."""

    turns: int
    change: Joined | Left
    chances: ToWin


class Review(Struct, frozen=True, kw_only=True):
    """A past or current game, turn by turn; `start` are the chances to win before the first turn."""

    number: int
    game: Game
    start: ToWin
    turns: tuple[ReviewedTurn, ...]
    changes: tuple[ReviewedChange, ...]

    @property
    def chances(self) -> Iterator[ToWin]:
        """Yield the chances to win from the start on, after every turn and every change at the table."""
        for turns, chances in enumerate((self.start, *(turn.chances for turn in self.turns))):
            yield chances
            yield from (change.chances for change in self.changes if change.turns == turns)

    def luck(self, player: str) -> float:
        """Return how much more than expected a player's hands led to, all together."""
        return sum(turn.judged.luck for turn in self.turns if turn.entry.player == player)

    def keeping(self, player: str) -> float | None:
        """Return the cost of what a player kept, all together; None where it is known of no turn."""
        costs = [turn.judged.keeping for turn in self.turns if turn.entry.player == player]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if known else None

    def mistakes(self, player: str) -> float:
        """Return the cost of the categories that a player chose, all together."""
        return sum(turn.judged.mistake for turn in self.turns if turn.entry.player == player)

    @property
    def costliest(self) -> tuple[ReviewedTurn, ...]:
        """The turns whose choices cost most, at most three."""
        costly = [turn for turn in self.turns if turn.judged.cost > 0]
        return tuple(sorted(costly, key=lambda turn: -turn.judged.cost)[:COSTLIEST])


def steps(
    progress: Progress | None,
    weights: Sequence[float] = (1,),
    clock: Callable[[], float] = time.monotonic,
    otherwise: Message = _LATER,
) -> Iterator[Progress]:
    """Yield the progress to report for each of several pieces of work: as one, refused if it takes too long.

    `progress` may be None, if nobody wants to know; `weights` are how long the pieces take, each compared
    with the others; `otherwise` is what to do instead.
    """
    begun: float | None = None
    is_tried = False

    def report(before: float, weight: float, done: int, count: int) -> None:
        nonlocal begun, is_tried
        share = (before + weight * done / max(1, count)) / sum(weights)
        begun = clock() if begun is None else begun
        spent = clock() - begun
        if share and spent >= _TRIED and not is_tried:  # once: a slow machine is slow from the beginning
            is_tried = True
            if (takes := spent / share) > _MOST:
                what, length = next(each for each in _UNITS if takes >= 2 * each[1])
                raise NotAllowed(what.with_values(count=round(takes / length)), otherwise)
        if progress is not None:
            progress(int(_WHOLE * share), _WHOLE)

    for place, weight in enumerate(weights):
        yield partial(report, sum(weights[:place]), weight)


def advice(
    store: Store,
    house_rules: HouseRules,
    read_input: ReadInput,
    line: TurnLine,
    question: HandQuestion,
    progress: Progress | None = None,
) -> Advised:
    """Return every choice with a hand, best first, in the current game or on a sheet that is given."""
    number = player = None
    if question.rules is not None or question.settings or question.filled or question.spares is not None:
        if line.player is not None:
            raise Mistyped(
                "--player is for a game, and --rules, --set, --filled and --spares are for none",
                "leave one of them out",
            )
        rules = rules_to_check(store, question.rules, house_rules, read_input, question.settings)
        sheet = read_sheet(rules, question.filled, question.spares or 0)
    else:
        try:
            number = store.find(None)
        except NotFound as error:
            if store.numbers():
                raise
            raise NotFound(error.message, StartGameOrAskInNone()) from error
        game = store.load(number).game
        player = _player(game, line.player)
        rules, sheet = game.rules, sheet_of(game, player)
    turn = parse(line, rules, is_throw_asked=True)
    dice, throw = turn.hand, turn.roll or rules.throws
    _check(rules, sheet, turn, throw, question)
    strategy = solve(rules, sheet, instant_value=question.instant_value, progress=next(steps(progress)))
    return Advised(
        number=number,
        player=player,
        rules=rules,
        sheet=sheet,
        advice=advise(strategy, dice, throw),
        instant_value=strategy.instant_value,
        instant_value_given=question.instant_value is not None,
    )


def adviser(store: Store, number: int, progress: Progress | None = None) -> Adviser:
    """Work a game out once, for the advice on any hand of it that follows.

    Raises NotAllowed where there are too many sheets to work out.
    """
    strategy = solve(store.load(number).game.rules, Sheet(), progress=next(steps(progress)))

    def advise_on(seen: int, player: str, dice: Dice, throw: int) -> Advice:
        file = store.load(number).file
        game = replay(file.agreed, (recorded.event for recorded in file.events[:seen])).game
        return advise(strategy, dice, throw, sheet_of(game, player))

    return advise_on


def _player(game: Game, wanted: str | None) -> str:
    if game.is_over:
        raise game_is_over()
    player = mover(game, Turn(player=wanted and find_player(wanted, game.seats)))
    if player in game.left:
        raise has_left(player)
    if not game.open_categories(player):
        raise NotAllowed(
            "{player} has no open category left", "it is {mover}'s turn", player=player, mover=game.to_move
        )
    return player


def _check(rules: RuleSet, sheet: Sheet, turn: Turn, throw: int, question: HandQuestion) -> None:
    """Refuse a throw that there is not, and words that are about no throw."""
    if turn.category is not None:
        raise Mistyped(
            "{category} is not a throw",
            "filled categories go with commas, as --filled ones,twos"
            if question.filled
            else "type the dice only",
            category=turn.category.typed,
        )
    check_throw(throw, rules, sheet.spares)
    if question.instant_value is not None and not wins_with(rules, "open"):
        raise NotAllowed("{rules} is never won at once", "leave --instant-value out", rules=rules)


def sheet_of(game: Game, player: str) -> Sheet:
    """Return the sheet of a player as it stands."""
    column = game.columns[player]
    return Sheet(
        filled=frozenset(column.boxes),
        holding=frozenset(name for name, box in column.boxes.items() if not box.scratched),
        wrote_five_alike=game.wrote_five_alike(player),
        in_numbers=game.in_numbers(player),
        spares=column.spares,
        total=game.total(player),
    )


def read_sheet(rules: RuleSet, filled: Sequence[str], spares: int) -> Sheet:
    """Return a sheet that nobody plays on, from texts as `ones`, `ones=3` or `ones=3,generala=0`.

    Without points a category counts as filled with some: what waits for it may be scored, but nothing is
    added to the total, and in a number category three of it count towards an upper bonus, which is what
    that asks for. Where a box waits for five alike in any box, those in their own box, or in a number's that
    holds the most it can (`threes=15`), are such.

    Raises NotAllowed where a category cannot hold such points, or none is left open.
    """
    boxes = dict(_boxes(rules, filled))
    if spares and not rules.has_spares:
        raise Mistyped("{rules} has no spares", "leave --spares out", rules=rules)
    if not 0 <= spares <= MOST_SPARES:
        raise Mistyped(
            "{number} is not a number of spares",
            "type --spares 0 to {most}",
            number=spares,
            most=MOST_SPARES,
        )
    if len(boxes) == len(rules.categories):
        raise NotAllowed("every category is filled, so there is nothing to advise", "leave one open")
    numbers = ((category.number, points) for category, points in boxes.items() if category.number)
    in_numbers = sum(3 * number if points is None else points for number, points in numbers)
    bonus = 0 if rules.upper_bonus is None else rules.upper_bonus.earned(in_numbers)
    holding = frozenset(category.id for category, points in boxes.items() if points != 0)
    awaited, full = (
        rules.awaited_hand,
        {number.id: (number.number or 0) * rules.dice for number in rules.numbers},
    )
    are_all_of_a_number = any(points == full.get(category.id) for category, points in boxes.items() if points)
    return Sheet(
        filled=frozenset(category.id for category in boxes),
        holding=holding,
        wrote_five_alike=awaited is not None and (awaited.id in holding or are_all_of_a_number),
        in_numbers=in_numbers,
        spares=spares,
        total=sum(points or 0 for points in boxes.values()) + bonus,
    )


def _boxes(rules: RuleSet, filled: Sequence[str]) -> Iterator[tuple[Category, int | None]]:
    seen: set[str] = set()
    for text in (part for texts in filled for part in texts.split(",") if part.strip()):
        name, equals, points = text.partition("=")
        category = rules.find_category(name.strip())
        if category.id in seen:
            raise Mistyped(
                "{category} is given as filled twice", "give each category once", category=category.typed
            )
        seen.add(category.id)
        yield category, _points(rules, category, text, points.strip()) if equals else None


def _points(rules: RuleSet, category: Category, text: str, points: str) -> int:
    if not (points.isascii() and points.isdecimal() and len(points) <= 6):
        raise Mistyped(
            "{text!r} is not a filled category",
            "type it as --filled ones=3, or ones=0 for a scratch",
            text=text,
        )
    possible = {0, *possible_points(rules, category)}
    if int(points) not in possible:
        raise NotAllowed(
            "{category} cannot hold {points} points",
            "it holds {possible}",
            category=category.typed,
            points=points,
            possible=listing(sorted(possible)),
        )
    return int(points)


def chances(store: Store, progress: Progress | None = None) -> Chances:
    """Return the odds of the current game, which must not be over."""
    stored = store.open(None)
    if stored.game.is_over:
        raise NotAllowed("the game is over, so there are no odds", "generala review looks back on it")
    return _chances(stored.number, stored.game, progress)


def chances_at_start(rules: RuleSet, players: int, progress: Progress | None = None) -> Chances:
    """Return the odds of so many before the first throw, in no game, for points."""
    if not 2 <= players <= MOST_PLAYERS:
        raise Mistyped(
            "{number} is not a number of players",
            "say --players 2 to {most}",
            number=players,
            most=MOST_PLAYERS,
        )
    names = tuple(map(str, range(1, players + 1)))
    return _chances(None, new_game(Agreed(rules=rules, players=names)), progress)


def _chances(number: int | None, game: Game, progress: Progress | None) -> Chances:
    sheets = dict.fromkeys(sheet_of(game, player) for player in game.playing)
    lefts = [2 ** (len(game.rules.categories) - len(sheet.filled)) for sheet in sheets]
    work = steps(progress, [weight for left in lefts for weight in (left, left * _PROSPECT_TAKES)])
    prospects = {}
    for sheet in sheets:
        strategy = solve(game.rules, sheet, totals=True, progress=next(work))
        prospects[sheet] = prospect(strategy, sheet, next(work))
    sides = contenders(game)
    paying = Paying(
        method=METHODS[game.agreed.payout],
        members=tuple(len(side.members) for side in sides),
        instant_win_points=game.rules.instant_win_points,
    )
    found = zip(sides, expected(_seated(game, prospects, Prospect), paying), strict=True)
    return Chances(
        number=number,
        game=game,
        chances=tuple(Chance(contender=side, total=total(game, side), expected=each) for side, each in found),
    )


def _seated(game: Game, ahead: Mapping[Sheet, Ahead], kind: type[Ahead]) -> list[Playing[Ahead]]:
    """Return everyone in seat order, with what is ahead of their sheet; no turns for those who left."""
    places = {player: place for place, side in enumerate(contenders(game)) for player in side.members}
    return [
        Playing(
            contender=places[player],
            taken=game.columns[player].turns,
            ahead=kind.without_turns(game.total(player))
            if player in game.left
            else ahead[sheet_of(game, player)],
        )
        for player in game.seats
    ]


def expected_payouts(found: Sequence[Chance], stake: str, places: int) -> list[Decimal]:
    """Return the expected payouts in the unit, with so many decimals, so that their sum is 0.

    Each is rounded down, and what is left over goes to those that lost most by it.
    """
    exact = [chance.expected.payout * float(stake) * 10**places for chance in found]
    units = [floor(value) for value in exact]
    by_loss = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_loss[: -sum(units)]:
        units[place] += 1
    return [Decimal(unit).scaleb(-places) for unit in units]


def review(store: Store, reference: str | None, progress: Progress | None = None) -> Review:
    """Judge every turn of a game, over or not."""
    stored = store.open(reference)
    game = stored.game
    work = steps(progress, [1, _OUTLOOKS_TAKE])
    strategy = solve(game.rules, Sheet(), progress=next(work))
    facts = list(course(game))
    states = list(accumulate((fact for _, fact in facts), evolve, initial=new_game(game.agreed)))
    start, *later = _to_win(states, strategy, next(work))
    turns, changes = [], []
    for (before, fact), was, chances in zip(facts, states, later, strict=False):
        if isinstance(fact, Joined | Left):
            changes.append(ReviewedChange(turns=before, change=fact, chances=chances))
        else:
            judged = _judged(strategy, was, fact)
            turns.append(ReviewedTurn(turn=before + 1, entry=fact, judged=judged, chances=chances))
    return Review(number=stored.number, game=game, start=start, turns=tuple(turns), changes=tuple(changes))


class Luck(Struct, frozen=True, kw_only=True):
    """Points that someone's hands added to the expected total of a game, and that their choices cost.

    Attributes:
        keeping: what was kept cost so much; None where it is known of no turn.
        keeping_turns: of how many turns that is known.
    """

    luck: float
    mistakes: float
    keeping: float | None = None
    keeping_turns: int = 0


def luck_and_mistakes(
    store: Store, games: Mapping[int, RuleSet], progress: Progress | None = None
) -> Mapping[tuple[int, str], Luck]:
    """Return the luck and mistakes of every player of games, by game number; as in `review`.

    Each kind of game is solved once.

    Args:
        games: the rules of each, by its number.
    """
    kinds = {number: fingerprint(rules) for number, rules in games.items()}
    strategies = {
        kind: solve(games[number], Sheet(), progress=next(steps(progress, otherwise=_FEWER)))
        for kind, number in {kind: number for number, kind in kinds.items()}.items()
    }
    report = next(steps(progress, otherwise=_FEWER))
    found: dict[tuple[int, str], Luck] = {}
    for done, (number, kind) in enumerate(kinds.items()):
        report(done, len(games))
        found |= _lucks(store.load(number), strategies[kind])
    return found


def _lucks(stored: StoredGame, strategy: Strategy) -> Mapping[tuple[int, str], Luck]:
    game = stored.game
    judged: dict[str, list[Judged]] = {player: [] for player in game.seats}
    for before, entry in zip(positions(game), game.entries, strict=False):
        judged[entry.player].append(_judged(strategy, before, entry))
    lucks = {}
    for player, turns in judged.items():
        keeping = [turn.keeping for turn in turns if turn.keeping is not None]
        lucks[stored.number, player] = Luck(
            luck=sum(turn.luck for turn in turns),
            mistakes=sum(turn.mistake for turn in turns),
            keeping=sum(keeping) if keeping else None,
            keeping_turns=len(keeping),
        )
    return lucks


def _to_win(states: Sequence[Game], strategy: Strategy, progress: Progress) -> Iterator[ToWin]:
    """Yield each contender's chance to win in every position, which joint winners share; latecomers last."""
    sheets = {sheet_of(position, player) for position in states for player in position.playing}
    try:
        found = outlooks(strategy, sheets, progress)
    except NotAllowed:  # too many totals
        yield from [None] * len(states)
        return
    for game in states:
        sides = contenders(game)
        if game.is_over:
            winners = outcome(game).winners
            yield tuple((side.name in winners) / len(winners) for side in sides)
        else:
            yield chances_to_win(_seated(game, found, Outlook), len(sides))


def _judged(strategy: Strategy, before: Game, entry: Entry) -> Judged:
    begun = sheet_of(before, entry.player)
    led_to = begun if entry.instant_win else sheet_of(evolve(before, entry), entry.player)
    return judge(strategy, begun, led_to, entry)
