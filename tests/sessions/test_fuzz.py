"""Random sessions of commands, legal and illegal. After each, the program's sheet equals the model's."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.cli.program import Generala
from tests.rules.reference import CATEGORIES, DICE_COUNT
from tests.sessions.model import Dice, Refused, Table, Typed
from tests.sessions.reporting import FUZZ, report

NAMES = ("Ana", "Beto", "Cora", "Dani")
ANYBODY = st.sampled_from((*NAMES, "Eva"))
UNIT = st.one_of(st.none(), st.sampled_from(["USD", "drink"]))
METHOD = st.one_of(st.none(), st.sampled_from(["pot", "pairwise"]))
SHORT_OF_NOTHING = 12  # enough undo steps to be refused sometimes
RULES = st.sampled_from(sorted(CATEGORIES.keys() - {"balut", "cacho", "yahtzee"}))
"""The model knows no jokers, no rows of boxes and no turning: tests/game/ plays those."""
PLAYERS = st.permutations(NAMES).flatmap(
    lambda names: st.integers(2, 3).map(lambda many: tuple(names[:many]))
)
ROLL = st.one_of(st.none(), st.integers(1, 3), st.integers(1, 3), st.integers(0, 6))
SOMEBODY = st.one_of(st.none(), st.none(), st.none(), st.sampled_from(NAMES))
COUNT = st.one_of(st.just(1), st.integers(0, SHORT_OF_NOTHING))
BOX = st.integers(0, 14)  # on the sheet, counted from 0; higher numbers name no player
NAMED = st.one_of(st.none(), st.none(), BOX)


def hands(many: int) -> st.SearchStrategy[Dice]:
    """Return throws with more figures than random ones, some with too many dice or invalid faces."""
    faces = st.integers(1, 6)
    alike = st.tuples(faces, faces, st.integers(0, many)).map(
        lambda t: (t[0],) * t[2] + (t[1],) * (many - t[2])
    )
    straight = st.integers(1, 6 - many + 1).flatmap(lambda low: st.permutations(range(low, low + many)))
    thrown = st.lists(faces, min_size=many, max_size=many)
    wrong = st.lists(st.integers(0, 9), max_size=7)
    return st.one_of(alike, alike, straight, thrown, thrown, wrong).map(tuple)


class Sessions(RuleBasedStateMachine):
    """Several games in one home, and their models."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="generala-"))
        self.generala = Generala(home=self.home)
        self.tables: dict[int, Table] = {}
        self.current: int | None = None
        self.steps = 0

    def teardown(self) -> None:
        shutil.rmtree(self.home)
        report(FUZZ, "random sessions against a model", runs=self.steps)

    @property
    def table(self) -> Table:
        assert self.current is not None
        return self.tables[self.current]

    def is_playing(self) -> bool:
        return self.current is not None

    def typed(self, *words: object, is_allowed: bool, dry_run: bool = False) -> dict[str, Any]:
        """Type a command, which must be refused if and only if the model refuses it."""
        extra = ("--dry-run",) if dry_run else ()
        result = self.generala(*map(str, words), *extra, "--json")
        self.steps += 1
        assert (result.code == 0) == is_allowed, (words, result)
        assert result.code in (0, 1, 2), result
        return dict(json.loads(result.out))

    def is_allowed(self, change: Any, *arguments: Any, dry_run: bool) -> bool:
        """Make the change in the model. Return whether it is allowed."""
        before = (self.table.facts, [*self.table.back], [*self.table.forth])
        try:
            change(*arguments)
        except Refused:
            return False
        if dry_run:
            self.table.facts, self.table.back, self.table.forth = before
        return True

    @initialize(rules=RULES, players=PLAYERS)
    def first_game(self, rules: str, players: tuple[str, ...]) -> None:
        self.new_game(rules, players)

    @rule(rules=RULES, players=PLAYERS)
    def new_game(self, rules: str, players: tuple[str, ...]) -> None:
        if len(self.tables) < 4:
            self._begun(self.typed("new", *players, "--rules", rules, is_allowed=True), Table(rules, players))

    @precondition(is_playing)
    @rule()
    def rematch(self) -> None:
        if len(self.tables) < 4:
            try:
                again = self.table.again()
            except Refused:
                self.typed("rematch", is_allowed=False)
            else:
                self._begun(self.typed("rematch", is_allowed=True), again)

    def _begun(self, answer: dict[str, Any], table: Table) -> None:
        assert answer["game"] not in self.tables
        self.current = answer["game"]
        self.tables[answer["game"]] = table

    @rule(number=st.integers(1, 6))
    def use(self, number: int) -> None:
        self.typed("use", number, is_allowed=number in self.tables)
        self.current = number if number in self.tables else self.current

    @rule(number=st.integers(1, 6), is_sure=st.booleans())
    def delete(self, number: int, is_sure: bool) -> None:
        is_allowed = number in self.tables and is_sure
        self.typed("delete", number, *(["--yes"] if is_sure else []), is_allowed=is_allowed)
        if is_allowed:
            del self.tables[number]
            self.current = None if self.current == number else self.current

    @precondition(is_playing)
    @rule(data=st.data(), roll=ROLL, box=NAMED, player=SOMEBODY, dry_run=st.booleans())
    def score(
        self, data: st.DataObject, roll: int | None, box: int | None, player: str | None, dry_run: bool
    ) -> None:
        category = self._category(box)
        dice = data.draw(hands(DICE_COUNT[self.table.rules]), label="dice")
        options = _options(roll, category, player)
        is_allowed = self._is_sayable(dice, roll, category, player) and self.is_allowed(
            self.table.enter, Typed(dice, roll, category, scratch=False), player, dry_run=dry_run
        )
        self.typed("score", *dice, *options, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(data=st.data(), box=BOX, roll=ROLL, player=SOMEBODY)
    def scratch(self, data: st.DataObject, box: int, roll: int | None, player: str | None) -> None:
        category = self._category(box)
        dice = data.draw(st.none() | hands(DICE_COUNT[self.table.rules]), label="dice") or None
        is_allowed = self._is_sayable(dice, roll, category, player) and self.is_allowed(
            self.table.enter, Typed(dice, roll, category, scratch=True), player, dry_run=False
        )
        self.typed("scratch", category, *(dice or ()), *_options(roll, None, player), is_allowed=is_allowed)

    @precondition(is_playing)
    @rule(data=st.data(), turn=st.integers(0, 8), roll=ROLL, box=NAMED, scratch=st.booleans())
    def amend(self, data: st.DataObject, turn: int, roll: int | None, box: int | None, scratch: bool) -> None:
        category = self._category(box)
        dice = data.draw(st.none() | hands(DICE_COUNT[self.table.rules]), label="dice") or None
        is_allowed = self._is_sayable(dice, roll, category, None) and self.is_allowed(
            self.table.amend, turn, Typed(dice, roll, category, scratch), dry_run=False
        )
        options = [*_options(roll, category, None), *(["--scratch"] if scratch else [])]
        self.typed("amend", turn, *(dice or ()), *options, is_allowed=is_allowed)

    @precondition(is_playing)
    @rule(turn=st.integers(1, 8), player=ANYBODY)
    def give(self, turn: int, player: str) -> None:
        nothing = Typed(None, None, None, scratch=False)
        is_allowed = player in self.table.players and self.is_allowed(
            self.table.amend, turn, nothing, player, dry_run=False
        )
        self.typed("amend", turn, "--player", player, is_allowed=is_allowed)

    @precondition(is_playing)
    @rule(old=ANYBODY, new=ANYBODY, dry_run=st.booleans())
    def rename(self, old: str, new: str, dry_run: bool) -> None:
        is_allowed = self.is_allowed(self.table.rename, old, new, dry_run=dry_run)
        self.typed("rename", old, new, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(player=ANYBODY, dry_run=st.booleans())
    def leave(self, player: str, dry_run: bool) -> None:
        is_allowed = self.is_allowed(self.table.leave, player, dry_run=dry_run)
        self.typed("leave", player, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(player=ANYBODY, dry_run=st.booleans())
    def join(self, player: str, dry_run: bool) -> None:
        is_allowed = self.is_allowed(self.table.join, player, dry_run=dry_run)
        self.typed("join", player, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(amount=st.sampled_from(["1", "0.05", "2"]), unit=UNIT, method=METHOD)
    def play_for(self, amount: str, unit: str | None, method: str | None) -> None:
        self.table.play_for(amount, unit, method)
        given = (("--unit", unit), ("--payout", method))
        options = [word for option, value in given if value is not None for word in (option, value)]
        self.typed("stake", amount, *options, is_allowed=True)

    @precondition(is_playing)
    @rule(count=COUNT, dry_run=st.booleans())
    def undo(self, count: int, dry_run: bool) -> None:
        is_allowed = self.is_allowed(self.table.undo, count, dry_run=dry_run)
        self.typed("undo", count, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(count=COUNT, dry_run=st.booleans())
    def redo(self, count: int, dry_run: bool) -> None:
        is_allowed = self.is_allowed(self.table.redo, count, dry_run=dry_run)
        self.typed("redo", count, is_allowed=is_allowed, dry_run=dry_run)

    @precondition(is_playing)
    @rule(turns=st.integers(1, 10))
    def get_on(self, turns: int) -> None:
        """Move towards the end of the game, which random moves would rarely reach."""
        for _ in range(turns):
            player = self.table.next(self.table.facts)
            if player is not None:
                category = self.table.open(self.table.facts, player)[0]
                self.table.enter(Typed(None, None, category, scratch=True), None)
                self.typed("scratch", category, is_allowed=True)

    def _category(self, box: int | None) -> str | None:
        ids = (*CATEGORIES[self.table.rules], *["no-such-box"] * 15)
        return None if box is None else ids[box]

    def _is_sayable(
        self, dice: Dice | None, roll: int | None, category: str | None, player: str | None
    ) -> bool:
        """Whether this game has these dice, boxes, throws and players."""
        is_hand = dice is None or (len(dice) == DICE_COUNT[self.table.rules] and {*dice} <= {*range(1, 7)})
        has_box = category is None or category in CATEGORIES[self.table.rules]
        return is_hand and has_box and roll != 0 and (player is None or player in self.table.players)

    @invariant()
    def the_sheet_is_that_of_the_model(self) -> None:
        if self.current is None:
            self.typed("sheet", is_allowed=False)
            return
        sheet = self.generala.json("sheet")
        assert {key: sheet[key] for key in self.table.sheet()} == self.table.sheet()
        assert sheet["game"] == self.current
        payouts = self.generala.json("payouts")
        assert [payouts[key] for key in ("stake", "unit", "method")] == [*self.table.played_for()]

    @invariant()
    def the_games_are_those_of_the_model(self) -> None:
        games = self.generala.json("games")["games"]
        assert [game["game"] for game in games] == sorted(self.tables)
        assert [game["game"] for game in games if game["current"]] == [self.current] * (
            self.current is not None
        )


def _options(roll: int | None, category: str | None, player: str | None) -> list[object]:
    given = (("--roll", roll), ("--as", category), ("--player", player))
    return [word for option, value in given if value is not None for word in (option, value)]


def sessions(many: int) -> Any:
    """Return the test with that many sessions."""

    class Chosen(Sessions):
        pass

    Chosen.TestCase.settings = settings(max_examples=many, stateful_step_count=40, print_blob=True)
    return Chosen.TestCase


TestFewSessions = pytest.mark.complete(sessions(2))
TestSessions = pytest.mark.slow(sessions(20))
TestAThousandSessions = pytest.mark.full(sessions(1000))
