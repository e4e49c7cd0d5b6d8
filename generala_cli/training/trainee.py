"""The trainee and the hands to ask. Importing this imports numpy."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.advice.strategies import whole_strategy
from generala_cli.app.long_work import steps
from generala_cli.errors import FileError, NotAllowed, NotFound, UsageError
from generala_cli.game.people import People
from generala_cli.messages import Message, lazy, listing
from generala_cli.odds.solving import Strategy
from generala_cli.progress import Progress
from generala_cli.remedies import in_shell
from generala_cli.render.documents import DamagedGame, damaged
from generala_cli.rules.dice import Dice
from generala_cli.rules.fingerprint import fingerprint, known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store import game_lists
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.hooks import joined_names
from generala_cli.store.store import Store, StoredGame
from generala_cli.text import safe
from generala_cli.training import exercises, schedule
from generala_cli.training.exercises import Exercise
from generala_cli.training.schedule import NEVER, Asked, History
from generala_cli.training.trainingfile import DrawnHand, PlayedHand, TrainedHand, TrainingFile

_MOST_NAMED = 6
"""The most people that a hint lists. With more, it names `generala players`."""
_Thrown = tuple[str, int, Dice]
"""The fingerprint of the rules, the throw, the dice."""


class Attempts(Struct, frozen=True, kw_only=True):
    count: int
    right: int


class NobodyNamed(UsageError):
    pass


class PlayedChoice(Asked, frozen=True, kw_only=True):
    """A choice from a game, small enough for many thousand games in memory."""

    hand: PlayedHand
    number: int  # of the game


class Trainee(Struct, frozen=True, kw_only=True):
    """A person who trains, and the hands to ask.

    Attributes:
        player: the shown name; "" for an unnamed trainee with drawn hands.
        drawn_by: the rules for drawn hands, if there are no games.
        strategies: by the fingerprint of the rules.
        alike: the turns in which each hand was thrown: game, turn, game, turn and so on.
    """

    player: str
    names: tuple[str, ...]
    played: tuple[PlayedChoice, ...] = ()
    drawn_by: RuleSet | None = None
    strategies: Mapping[str, Strategy]
    left_out: tuple[Message, ...] = ()
    alike: Mapping[_Thrown, Sequence[int]] = {}
    load: Callable[[int], StoredGame]

    def played_alike(self, exercise: Exercise) -> Attempts:
        """Return the results of other turns with the same hand, throw and rules, on any sheet."""
        thrown = (fingerprint(exercise.rules), exercise.throw, exercise.dice)
        found: list[bool] = []
        alike = self.alike.get(thrown, ())
        for number, turn in zip(alike[::2], alike[1::2], strict=True):
            with suppress(FileError, NotFound):  # it was damaged or deleted in the meantime
                turns = exercises.of_turn(self.load(number), self.strategy(exercise), turn)
                asked = (exercise.throw, exercise.dice, exercise.state)
                same = [each for each in turns if (each.throw, each.dice, each.state) == asked]
                found += [schedule.is_right(each.cost) for each in same if each.hand != exercise.hand]
        return Attempts(count=len(found), right=sum(found))

    def strategy(self, exercise: Exercise) -> Strategy:
        return self.strategies[fingerprint(exercise.rules)]

    def histories(self, file: TrainingFile) -> Mapping[TrainedHand, History]:
        return schedule.histories(file, self.names)

    def upcoming(self, file: TrainingFile, now: datetime) -> Iterator[Exercise]:
        answered = self.histories(file)
        if self.drawn_by is not None:
            yield from self._drawn(answered, now)
            return
        for choice in schedule.upcoming(
            self.played,
            answered,
            now,
            len(file.events),
            lambda each: any(map(self._is_tempting, self._asked(each))),
        ):
            yield from self._asked(choice)

    def _is_tempting(self, exercise: Exercise) -> bool:
        return exercises.is_tempting(exercise, self.strategy(exercise))

    def _asked(self, choice: PlayedChoice) -> Iterator[Exercise]:
        with suppress(FileError, NotFound):
            stored = self.load(choice.number)
            strategy = self.strategies[fingerprint(stored.game.rules)]
            turn = exercises.of_turn(stored, strategy, choice.hand.turn)
            yield from (each for each in turn if each.hand == choice.hand)

    def missed(self, file: TrainingFile) -> Sequence[Asked]:
        answered = self.histories(file)
        found: Sequence[Asked] = self.played if self.drawn_by is None else self._drawn_again(answered)
        return tuple(each for each in found if answered.get(each.hand, NEVER).due is not None)

    def _drawn(self, answered: Mapping[TrainedHand, History], now: datetime) -> Iterator[Exercise]:
        yield from schedule.due(self._drawn_again(answered), answered, now)
        [strategy] = self.strategies.values()
        asked = {hand.number for hand in self._drawn_hands(answered)}
        yield from (exercises.drawn(strategy, number) for number in count(1) if number not in asked)

    def _drawn_again(self, answered: Mapping[TrainedHand, History]) -> tuple[Exercise, ...]:
        """Return the missed drawn hands, unless the rules now draw a different hand."""
        [strategy] = self.strategies.values()
        missed = [hand for hand in self._drawn_hands(answered) if answered[hand].due is not None]
        found = ((hand, exercises.drawn(strategy, hand.number)) for hand in missed)
        return tuple(each for hand, each in found if each.hand == hand)

    def _drawn_hands(self, answered: Mapping[TrainedHand, History]) -> list[DrawnHand]:
        [kind] = self.strategies
        return [hand for hand in answered if isinstance(hand, DrawnHand) and hand.rules == kind]


def trainee(
    store: Store,
    player: str | None,
    rules: Callable[[], RuleSet] | None,
    file: TrainingFile,
    progress: Progress,
) -> Trainee:
    """Return the trainee: the named player, the only player, or the one who trained last.

    The `rules` select games, or draw hands. Raises NotFound if there are no hands, and UsageError if several
    people could be meant.
    """
    by = None if rules is None else rules()
    names, found = game_lists.NamesPlayed(), dict[int, _PlayedGame]()
    alike: dict[_Thrown, array[int]] = {}
    reading, solving, judging = steps(progress, [1, 2, 1])

    def add(game: RecordedGame) -> None:
        played, number = _played(game), game.file.game
        names.add(played.players, played.started)
        if by is None or played.rules.name == by.name:
            found[number] = replace(played, thrown=())
            for turn, thrown in played.thrown:
                alike.setdefault(thrown, array("L")).extend((number, turn))

    _, unreadable = store.read_all(add, reading)
    left_out = [each.left_out for each in damaged(unreadable)]
    people = names.people(joined_names(store))
    who = _chosen_name(people, player, file, is_drawn=not found and by is not None)
    own = () if not who else people.names_of(who)
    games = [number for number, played in found.items() if {*played.players} & {*own}]
    if not games:
        if by is None:
            hint = in_shell(lazy("generala train --rules kniffel draws hands from good play"))
            raise NotFound("there are no games to learn from", hint)
        return Trainee(
            player=who,
            names=own or ("",),
            drawn_by=by,
            strategies={fingerprint(by): _strategy_to_draw_by(by, solving)},
            left_out=tuple(left_out),
            load=store.load,
        )
    strategies, troubles = _strategies([found[number].rules for number in games], solving)
    hands: list[PlayedChoice] = []
    for number, stored in store.each(store.load, judging, games):
        if isinstance(stored, FileError):
            left_out.append(DamagedGame(game=number, error=stored).left_out)
        elif (strategy := strategies.get(fingerprint(stored.game.rules))) is not None:
            hands += (
                PlayedChoice(hand=each.hand, cost=each.cost, number=number)
                for each in exercises.of_game(stored, strategy, own)
                if isinstance(each.hand, PlayedHand)
            )
    return Trainee(
        player=who,
        names=own,
        played=tuple(hands),
        strategies=strategies,
        left_out=(*left_out, *troubles),
        alike=alike,
        load=store.load,
    )


class _PlayedGame(Struct, frozen=True, kw_only=True):
    players: tuple[str, ...]
    started: datetime
    rules: RuleSet
    thrown: tuple[tuple[int, _Thrown], ...]


def _played(record: RecordedGame) -> _PlayedGame:
    rules = known(record.agreed.rules)
    return _PlayedGame(
        players=tuple(record.file.result.totals),
        started=record.file.started,
        rules=rules.rules,
        thrown=tuple(
            (turn, (rules.fingerprint, throw, dice))
            for turn, entry in enumerate(record.entries, start=1)
            for throw, dice in exercises.thrown_in(entry)
        ),
    )


def _strategy_to_draw_by(rules: RuleSet, progress: Progress) -> Strategy:
    try:
        return whole_strategy(rules, progress)
    except NotAllowed as error:
        hint = in_shell(lazy("train with different rules, such as generala train --rules kniffel"))
        raise NotAllowed(error.message, hint) from error


def _chosen_name(people: People, player: str | None, file: TrainingFile, *, is_drawn: bool) -> str:
    everyone = people.everyone
    if player is not None and everyone:
        return people.find(player)
    if player is not None and is_drawn:
        raise NotFound("there is no player {wanted!r}", in_shell(lazy("remove the name")), wanted=player)
    if len(everyone) == 1:
        return everyone[0]
    trained = [people.shown(recorded.event.player) for recorded in reversed(file.events)]
    last = next((name for name in trained if name in everyone), None)
    if last is not None and not is_drawn:
        return last
    if is_drawn or not everyone:
        return ""
    named = listing(map(safe, everyone)) if len(everyone) <= _MOST_NAMED else "generala players"
    hint = in_shell(lazy("type generala train and a name: {names}", names=named))
    raise NobodyNamed("whose hands? give a player's name", hint)


def _strategies(
    rules_played: Iterable[RuleSet], progress: Progress
) -> tuple[Mapping[str, Strategy], list[Message]]:
    found: dict[str, Strategy] = {}
    troubles: list[Message] = []
    kinds = {fingerprint(rules): rules for rules in rules_played}
    for (kind, rules), solving in zip(kinds.items(), steps(progress, [1] * len(kinds)), strict=True):
        try:
            found[kind] = whole_strategy(rules, solving)
        except NotAllowed as error:
            left_out = lazy("skipped games of {rules}: {reason}", rules=rules, reason=error.message)
            troubles.append(left_out)
    return found, troubles
