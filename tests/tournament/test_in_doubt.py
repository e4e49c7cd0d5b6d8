"""Tournaments from seeds on three machines, with disputed, damaged, missing and deleted tables.

Two machines with the same data never name different winners or finalists. A machine with a doubtful table
says so, and does not seat by its standings.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from generala_cli.doctor.versions import compare, take
from generala_cli.errors import GeneralaError
from generala_cli.exchange.syncing import sync
from generala_cli.game.game import Game
from generala_cli.game.turnline import TurnLine
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.progress import no_progress
from generala_cli.store import gamefile
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.table import turns
from generala_cli.tournament import agreeing, changing, seating
from generala_cli.tournament.answers import SeatedRound
from generala_cli.tournament.looking import standings, tables
from generala_cli.tournament.storing import find_tournament, read_games
from tests.sizes import thinned
from tests.store.files import store_in, tiny_rules

pytestmark = pytest.mark.usefixtures("short_plans")

NAMES = ("Ana", "Beto", "Cora", "Dani", "Eva", "Fito", "Gus")
SEEDS = 40


@dataclass
class Machine:
    """One of three machines with a shared folder."""

    home: Path
    store: Store

    def sync(self, *, with_deleted: bool = False) -> None:
        shared, rules = self.home.parent / "shared", HouseRules(directory=self.home / "rules")
        sync(
            self.store,
            rules,
            self.home / "config.toml",
            folder=str(shared),
            name=self.home.name,
            with_deleted=with_deleted,
            dry_run=False,
            progress=no_progress,
        )

    def move(self, random: Random) -> None:
        """Swap two players, or move one, if that is allowed here."""
        one, other = random.sample(NAMES, 2)
        with suppress(GeneralaError):
            if random.random() < 0.5:
                changing.move(self.store, "1", one, other, None)
            else:
                changing.move(self.store, "1", one, None, random.randint(1, 2))

    def meet(self, _: Random) -> None:
        self.sync()

    def enter(self, random: Random) -> None:
        """Scratch a box at a random table of the last round."""
        number = random.choice(self.games())
        store = Store(folder=self.store.folder, clock=self.store.clock, named=str(number))
        with suppress(GeneralaError):
            turns.enter(store, TurnLine(words=("x", "twos"), category=None, roll=None))

    def table(self, game: str) -> Game:
        """Return the game of a table."""
        (number, _) = read_games(self.store, {game}).usable[game]
        return self.store.load(number).game

    def games(self) -> list[int]:
        """Return the numbers of the games of the last round."""
        found = tables(self.store, find_tournament(self.store, "1")).tables
        return [table.game for table in found if table.game is not None]

    def play(self, number: int, random: Random) -> None:
        """Play a game to its end, in this machine's version."""
        store = Store(folder=self.store.folder, clock=self.store.clock, named=str(number))
        while store.load(number).game.to_move is not None:
            game = store.load(number).game
            box = "all" if "all" not in game.columns[str(game.to_move)].rows else "twos"
            dice = f"{random.randint(1, 3)}{random.randint(1, 3)}"
            words = (dice,) if box == "all" else ("x", box)
            turns.enter(store, TurnLine(words=words, category=box if box == "all" else None, roll=None))

    def in_doubt(self) -> set[str]:
        """Return the ids of tables' games without exactly one intact file, by looking at the folder."""
        whole = set[str]()
        for path in self.store.folder.directory.glob("games/*/game.json"):
            data = path.read_bytes() if path.is_file() else b""
            if data.endswith(b"]}\n") and not [*path.parent.glob("game.imported-*.json")]:
                whole.add(str(gamefile.id_in(data)))
        return {table.game for table in find_tournament(self.store, "1").standing.tables} - whole

    def winner(self) -> str | None:
        """Return the winner, or None without a result. Check that every doubt is reported and refused."""
        stored = find_tournament(self.store, "1")
        found = standings(self.store, stored)
        if self.in_doubt():
            assert found.damaged, "a table in doubt is silent"
            assert not found.over
            with pytest.raises(GeneralaError):
                seating.final(self.store, "1", 2)
            with suppress(GeneralaError):
                units = ledger(read_ledger_data(self.store)).units
                assert not any(account.tournaments for account in units), "a prize rests on doubt"
        return found.standings[0].player if found.over else None


def begin(machine: Machine, seed: int) -> None:
    agreeing.begin(
        machine.store,
        "Copa",
        tiny_rules(),
        NAMES,
        rounds=2,
        tables_of=3,
        seating="standings",
        stake="1",
        unit="USD",
        payout="pairwise",
        entry_fee="5",
        final=3,
        seed=seed,
    )


def meet(machines: list[Machine], *, with_deleted: bool = False) -> None:
    for machine in (*machines, *machines):
        machine.sync(with_deleted=with_deleted)


def check(machines: list[Machine]) -> set[str]:
    """Check that all machines with a winner agree. Return the winners."""
    winners = {winner for machine in machines if (winner := machine.winner()) is not None}
    assert len(winners) <= 1, "two machines name two winners"
    return winners


def disturb(machines: list[Machine], random: Random) -> None:
    """Truncate, delete or hide the game of a table on one machine, or do nothing."""
    machine = random.choice(machines)
    number = random.choice(machine.games())
    path = machine.store.folder.directory / file_name(number)
    match random.choice(["cut", "lost", "unreadable", "deleted", "nothing"]):
        case "cut":
            path.write_bytes(path.read_bytes()[:-9])
        case "lost":
            path.unlink()
        case "unreadable":
            path.unlink()
            path.mkdir()
            check(machines)
            path.rmdir()
        case "deleted":
            machine.store.delete(number)
        case _:
            pass


def settle(machines: list[Machine], random: Random) -> None:
    """Repair everything, and choose between versions if there are two."""
    meet(machines, with_deleted=True)
    chooser = random.choice(machines)
    for number in chooser.store.numbers():
        found = compare(chooser.store, number)
        if found is not None and len(found.usable) > 1:
            take(chooser.store, number, random.choice(found.usable).take)
    meet(machines)
    assert not any(machine.in_doubt() for machine in machines)


def play_round(machines: list[Machine], random: Random) -> None:
    """Play all tables, some on one machine, some differently on two. Then disturb one, and repair it."""
    for place in range(len(machines[0].games())):
        for machine in random.sample(machines, random.choice([1, 1, 2])):
            number = machine.games()[place]
            machine.play(number, random)
    meet(machines)
    check(machines)
    disturb(machines, random)
    check(machines)
    settle(machines, random)


def seat_everywhere(machines: list[Machine], random: Random, final: int = 0) -> None:
    """Seat the next round or a final on one or several machines. All must get the same seats."""
    seated: list[SeatedRound] = []
    for machine in random.sample(machines, random.randint(1, 3)):
        if final:
            seated.append(seating.final(machine.store, "1", final))
        else:
            seated.append(seating.seat(machine.store, "1"))
    assert len({tuple(table.players for table in each.tables) for each in seated}) == 1
    meet(machines)
    assert all(not tables(each.store, find_tournament(each.store, "1")).others for each in machines)
    assert {len(machine.store.numbers()) for machine in machines} == {len(machines[0].store.numbers())}


@pytest.mark.thinned(every=40, slow=2)
@pytest.mark.parametrize("seed", thinned(zip(range(SEEDS)), every=40))
@pytest.mark.slow
def test_three_machines_never_name_two_winners(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    (tmp_path / "shared").mkdir()
    machines = [Machine(home=tmp_path / name, store=store_in(tmp_path / name)) for name in "abc"]
    begin(machines[0], seed)
    meet(machines)
    for _ in range(2):
        seat_everywhere(machines, random)
        play_round(machines, random)
        assert check(machines) == set(), "the final is still to come"
    seat_everywhere(machines, random, final=3)
    play_round(machines, random)
    assert len(check(machines)) == 1


@pytest.mark.thinned(every=20, slow=2)
@pytest.mark.parametrize("seed", thinned(zip(range(SEEDS)), every=20))
def test_three_machines_that_move_players_agree_on_the_seats(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    (tmp_path / "shared").mkdir()
    machines = [Machine(home=tmp_path / name, store=store_in(tmp_path / name)) for name in "abc"]
    begin(machines[0], seed)
    seating.seat(machines[0].store, "1")
    meet(machines)
    for _ in range(12):
        machine = random.choice(machines)
        random.choice([Machine.move, Machine.move, Machine.enter, Machine.meet])(machine, random)
    settle(machines, random)
    standings = [find_tournament(machine.store, "1").standing for machine in machines]
    assert {each.tables for each in standings} == {standings[0].tables}
    for table in standings[0].tables:
        game, *others = (machine.table(table.game) for machine in machines)
        assert others == [game, game]
        assert game.seats == table.players or game.entries
