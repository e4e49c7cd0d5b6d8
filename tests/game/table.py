"""A table for tests: dice are typed, and every move is decided, recorded and replayable."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.game import amending, decisions
from generala_cli.game.events import (
    Agreed,
    Amended,
    Ended,
    Event,
    Joined,
    Left,
    Redone,
    Renamed,
    Scored,
    Scratched,
    Staked,
    TableChange,
    Thrown,
    Throws,
    Undone,
)
from generala_cli.game.game import Box, Column, Game, new_game
from generala_cli.game.history import History, redo, undo
from generala_cli.game.starting import start
from generala_cli.game.turn import Turn
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.dice import Dice
from generala_cli.rules.notation import parse_faces
from generala_cli.rules.options import options_of, with_settings
from generala_cli.rules.ruleset import Category, RuleSet

cached_rules = cache(built_in)


def house(name: str, *settings: str) -> RuleSet:
    """Return a built-in rule set after settings in the form `key=value`."""
    pairs = [setting.partition("=") for setting in settings]
    return with_settings(cached_rules(name), [(key, value) for key, _, value in pairs])


def untried_options(houses: Iterable[Sequence[str]]) -> set[str]:
    """Return the kinds of options of the built-in games that no house sets; prices are one kind."""
    games = [cached_rules(name) for name in built_in_names()]
    boxes = {category.id for rules in games for category in rules.categories}

    def kind(key: str) -> str:
        start, _, rest = key.partition("-")
        return "price" if key in boxes else start if rest and start in {"all", "extra", "same"} else key

    tried = {kind(setting.partition("=")[0]) for _, *settings in houses for setting in settings}
    return {kind(option.key) for rules in games for option in options_of(rules)} - tried


def hand(text: str) -> Dice:
    return parse_faces([text], faces=9)


def throws(text: str) -> Throws | UnsetType:
    """Return throws and keeps, in the form `44126:44 44425:444`, or None if there are none."""
    found = [pair.split(":") for pair in text.split()]
    return tuple(Thrown(dice=hand(dice), kept=hand(kept) if kept else ()) for dice, kept in found) or UNSET


def opening(text: str) -> tuple[Dice, ...]:
    """Return opening throws from a text such as `55533,12345`."""
    return tuple(hand(throw) for throw in text.split(","))


class Table:
    """Players, a rule set, and the events so far."""

    def __init__(
        self,
        rules: RuleSet,
        *players: str,
        openings: Mapping[str, str] | None = None,
        teams: Sequence[str] = (),
        uneven: bool = False,
        partners: bool = False,
    ) -> None:
        self.agreed: Agreed = start(
            rules,
            players or ("Ana", "Beto"),
            openings={player: opening(text) for player, text in (openings or {}).items()},
            teams=teams,
            uneven=uneven,
            partners=partners,
        )
        self.events: list[Event] = []
        self.history = History(self.agreed)

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def rules(self) -> RuleSet:
        return self.agreed.rules

    def column(self, player: str) -> Column:
        return self.game.columns[player]

    def points(self, player: str) -> dict[str, int]:
        """Return the points in each filled box."""
        return {name: sum(box.points for box in row) for name, row in self.column(player).rows.items()}

    def score(
        self, player: str, dice: str, category: str | None = None, *, roll: int | None = None, threw: str = ""
    ) -> Scored:
        turn = Turn(
            player=player,
            dice=hand(dice),
            roll=self._last(player, roll),
            category=self._category(category),
            throws=throws(threw),
        )
        scored = decisions.judge(self.game, turn)
        assert isinstance(scored, Scored)
        self._add(scored)
        return scored

    def scratch(
        self,
        player: str,
        category: str,
        dice: str | None = None,
        *,
        roll: int | None = None,
        threw: str = "",
    ) -> Scratched:
        turn = Turn(
            player=player,
            category=self.rules.category(category),
            dice=None if dice is None else hand(dice),
            roll=self._last(player, roll),
            throws=throws(threw),
            is_scratch=True,
        )
        scratched = decisions.judge(self.game, turn)
        assert isinstance(scratched, Scratched)
        self._add(scratched)
        return scratched

    def amend(
        self,
        turn: int,
        dice: str | None,
        category: str | None = None,
        *,
        roll: int | None = None,
        scratched: bool = False,
        player: str | None = None,
    ) -> Amended:
        wanted = Turn(
            player=player,
            dice=None if dice is None else hand(dice),
            roll=self.rules.throws if roll is None else roll,
            category=self._category(category),
            is_scratch=scratched,
        )
        if scratched and category is None:
            wanted = replace(wanted, category=self._category(self.game.entries[turn - 1].category))
        amended = amending.amend(self.game, turn, wanted)
        self._add(amended)
        return amended

    def give(self, turn: int, player: str) -> Amended:
        """Move a turn to a different player and change nothing else."""
        old = self.game.entries[turn - 1]
        wanted = amending.completed(Turn(player=player), old, self.rules)
        amended = amending.amend(self.game, turn, wanted)
        self._add(amended)
        return amended

    def rename(self, player: str, name: str) -> None:
        self._change(Renamed(player=player, name=name))

    def leave(self, player: str) -> None:
        self._change(Left(player=player))

    def join(self, player: str) -> None:
        self._change(Joined(player=player))

    def end(self) -> None:
        self._change(Ended())

    def stake(self, stake: str, unit: str = "point", payout: str = "difference") -> None:
        self._change(Staked(stake=stake, unit=unit, payout=payout))

    def _change(self, wanted: TableChange) -> None:
        self._add(decisions.change(self.game, wanted))

    def undo(self) -> Undone:
        undone = undo(self.history)[0]
        self._add(undone)
        return undone

    def redo(self) -> Redone:
        redone = redo(self.history)[0]
        self._add(redone)
        return redone

    def _add(self, event: Event) -> None:
        self.history.add(event)
        self.events.append(event)

    def _category(self, wanted: str | None) -> Category | None:
        return None if wanted is None else self.rules.category(wanted)

    def _last(self, player: str, roll: int | None) -> int:
        return self.rules.throws if roll is None else roll


def stand(
    agreed: Agreed, totals: Mapping[str, int], *, instant_winner: str | None = None, over: bool = True
) -> Game:
    """Return a game with these totals: all points in the first box, the others 0, or open if not over."""
    empty = new_game(agreed)
    first, *others = (category.id for category in agreed.rules.categories)
    zeros = others if over and instant_winner is None else []
    return Game(
        agreed=agreed,
        seats=empty.seats,
        columns={
            player: Column(
                rows={first: (_box(totals[player]),)} | {other: (_box(0),) for other in zeros}, turns=1
            )
            for player in empty.seats
        },
        instant_winner=instant_winner,
    )


def _box(points: int) -> Box:
    return Box(turn=1, points=points, scratched=not points, roll=3, dice=None)
