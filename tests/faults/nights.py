"""A tournament with one writer at every table, while programs are killed and disks fail.

    python -m tests.faults.nights --seed 7 --players 40 --rounds 4

A thread of its own writes each table, with commands of the installed program and with the pads of a board.
All threads use one folder at the same time. Some commands are killed or get a failing or full disk, and the
board is killed now and then. Acknowledged entries must be there exactly once, all others at most once. The
standings must match a recount of the games' files by an independent reader. Two more machines share a folder
with the first one and add and remove players, too. All must arrive at the same list in any order.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from errno import EIO, ENOSPC
from fractions import Fraction
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from secrets import token_hex
from signal import SIGKILL
from tempfile import TemporaryDirectory
from threading import get_ident
from typing import Any
from urllib.parse import urlsplit

from tests.cli.plain_reader import documents, standing, totals
from tests.cli.program import GENERALA, surroundings
from tests.faults.harness import Fault, compile_shim

SIZE = 4
HANDS: Mapping[str, Sequence[str]] = {
    "ones": ["11122", "12345"],
    "twos": ["22223", "12345"],
    "threes": ["33311", "23456"],
    "fours": ["44441", "12345"],
    "fives": ["55566", "51234"],
    "sixes": ["66664", "23456"],
    "straight": ["12345", "23456"],
    "full-house": ["22233", "55566"],
    "four-of-a-kind": ["44441", "66662"],
    "generala": ["33333", "11111"],
}
"""Dice for every box of the game, entered on the second throw."""
LAST_OPERATION = 120
"""No command of a turn has many more, so a fault at any of these is mostly inside."""
_PATIENCE = 120  # seconds before a hanging program fails


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Return the answer as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand in a box; without dice if the box was scratched."""

    player: str
    box: str
    dice: str


class Wall:
    """The board of the tournament in a process that can be killed and restarted."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[str] | None = None
        self.addresses: dict[str, Any] = {}

    def begin(self) -> None:
        """Start or restart the board at the same address."""
        self.end()
        self._process = subprocess.Popen(
            [GENERALA, "board", "--tournament", "--pad", "--json"],
            env=surroundings(self._home, {}),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.addresses = json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """Kill the board, like `kill -9`."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def enter(self, game: int, seen: int, entry: Entry) -> int:
        """Send a hand from the player's pad or the keeper's. Return the status of the response, or 0."""
        pad = urlsplit(self.addresses["pads"].get(entry.player, self.addresses["keeper"]))
        hand = {"dice": entry.dice, "roll": "2"} if entry.dice else {"scratch": True}
        turn = {"id": token_hex(16), "game": game, "seen": seen, "category": entry.box, **hand}
        headers = {"Origin": f"http://{pad.netloc}", "Content-Type": "application/json"}
        connection = HTTPConnection(pad.netloc, timeout=_PATIENCE)
        try:
            connection.request("POST", f"{pad.path}turn", json.dumps(turn), headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException):
            return 0
        else:
            return answer.status
        finally:
            connection.close()


class Night:
    """One tournament, from the draw to the last hand."""

    def __init__(self, seed: int, folder: Path, players: int, rounds: int, faults: int = 4) -> None:
        """Start in an empty folder. One command in `faults` meets a fault."""
        self.random, self.rounds, self.one_in = Random(seed), rounds, faults
        self.home = folder / "home"
        self.home.mkdir()
        self.shim = compile_shim(folder)
        self.wall = Wall(self.home)
        self.machines = [self.home, *(folder / name for name in ("second", "third"))]
        (folder / "shared").mkdir()
        self.names = [f"P{number}" for number in range(1, players + 1)]
        self.happened: Counter[str] = Counter()
        self.played: dict[int, list[Entry]] = {}
        self.tables: list[dict[str, Any]] = []

    def run(self) -> None:
        """Play it, and check it."""
        try:
            self._run()
        finally:
            self.wall.end()

    def _run(self) -> None:
        size, rounds = str(SIZE), str(self.rounds)
        new = ("tournament", "new", "Copa", ",".join(self.names), "--tables-of", size, "--rounds", rounds)
        assert self.type(*new, "--rules", "generala", "--points", "4,2,1").code == 0
        self._meet()
        for number in range(1, self.rounds + 1):
            self._seat(number)
            self.wall.begin()
            with ThreadPoolExecutor(len(self.tables)) as at_once:
                playing = [
                    at_once.submit(self._play, table, Random(self.random.random())) for table in self.tables
                ]
                while not all(each.done() for each in playing):
                    self._look()
                    if self.random.randrange(3) == 0:
                        self.happened["board killed"] += 1
                        self.wall.begin()
                for each in playing:
                    each.result()
            self._check()
            self._meet()

    def type(self, *words: str, fault: Fault | None = None, home: Path | None = None) -> Done:
        """Run a command on a machine (default: the first), sometimes with a fault."""
        log = self.home.with_name(f"log-{get_ident()}")
        harm = {"LD_PRELOAD": str(self.shim), "FAULT_STORE": str(self.home), "FAULT_LOG": str(log)}
        done = subprocess.run(
            [GENERALA, *words, "--json"],
            env=surroundings(home or self.home, harm | fault.environment() if fault else {}),
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
        assert "Traceback" not in done.stderr, done
        return Done(done.returncode, done.stdout, done.stderr)

    def _fault(self, random: Random) -> Fault | None:
        if random.randrange(self.one_in):
            return None
        at = random.randint(1, LAST_OPERATION)
        kind, number = random.choice([("raise", SIGKILL), ("fail", EIO), ("fail", ENOSPC)])
        return Fault(at=at, do=kind, number=number)

    def _seat(self, number: int) -> None:
        """Add and remove players, then seat the next round, retrying after each kill."""
        if number > 1:
            for place, machine in enumerate(self.machines):
                late, gone = f"L{number}{place}", self.names[place + self.random.randrange(2)]
                self.names = [*(name for name in self.names if name != gone), late]
                for words in (("add", late), ("drop", gone)):
                    assert self.type("tournament", *words, home=machine).code == 0
            self._meet()
        for _ in range(3):
            seated = self.type("tournament", "seat", fault=self._fault(self.random))
            if seated.code == 0:
                break
            self.happened["seat"] += 1
            shown = self.type("tournament", "tables")
            if shown.code == 0 and shown.document["round"] == number:
                break  # it was killed after the change
        else:
            assert self.type("tournament", "seat").code == 0
        found = self.type("tournament", "tables").document
        assert found["round"] == number
        self.tables = found["tables"]
        seats = [player for table in self.tables for player in table["players"]]
        assert sorted([*seats, *found["byes"]]) == sorted(self.names)

    def _meet(self) -> None:
        """Let the machines meet in any order until each knows everything."""
        shared = str(self.home.with_name("shared"))
        order = self.random.sample(range(3), 3)
        for place in [*order, *self.random.sample(order, 3), *order]:
            met = self.type("sync", shared, "--as", f"machine {place}", home=self.machines[place])
            assert (met.code, met.err) == (0, ""), met
        shown = [self.type("tournament", "standings", home=home).document for home in self.machines]
        assert shown[0]["standings"] == shown[1]["standings"] == shown[2]["standings"]
        logs = [self.type("tournament", "log", home=home).document["events"] for home in self.machines]
        assert logs[0] == logs[1] == logs[2]
        self.happened["meetings"] += 1

    def _look(self) -> None:
        """Read the page for a wall in the meantime."""
        for words in (("tournament", "standings"), ("tournament", "tables"), ("games",)):
            looked = self.type(*words)
            assert (looked.code, looked.err) == (0, ""), looked
        self.happened["looks"] += 1

    def _play(self, table: dict[str, Any], random: Random) -> None:
        """Play a table's game to its end."""
        game, players = table["game"], table["players"]
        written = self.played[game] = []
        left = {player: [*HANDS] for player in players}
        for _ in HANDS:
            for player in players:
                box = random.choice(left[player])
                left[player].remove(box)
                self._enter(game, Entry(player, box, random.choice([*HANDS[box], ""])), random)
                if random.random() < 0.05:
                    self._correct(game, random.choice(written), random)

    def _file(self, game: int) -> dict[str, Any]:
        (found,) = documents((self.home / f"data/games/{game}/game.json").read_bytes())
        return {**found}

    def _enter(self, game: int, entry: Entry, random: Random) -> None:
        """Enter a hand until it is saved."""
        words = ("score", entry.dice, "2", "--as", entry.box) if entry.dice else ("scratch", entry.box)
        before = len(self._file(game)["events"])
        while True:
            if random.random() < 1 / 3:
                status = self.wall.enter(game, before, entry)
                events = self._file(game)["events"]
                assert status != HTTPStatus.OK or len(events) > before, ("acknowledged, and not there", entry)
                self.happened[f"pad {status}"] += 1
                if len(events) > before:
                    break
            fault = self._fault(random)
            done = self.type("--game", str(game), *words, fault=fault)
            events = self._file(game)["events"]
            if len(events) > before:
                assert done.code == 0 or fault, (words, done)
                self.happened["done, and not said"] += done.code != 0
                break
            assert done.code != 0, ("acknowledged, and not there", words, done)
            assert fault, (words, done)
            self.happened["not done"] += 1
        assert len(events) == before + 1, ("there twice", words)
        event = events[-1]["event"]
        assert (event["player"], event["category"]) == (entry.player, entry.box), (event, entry)
        self.played[game].append(entry)
        self.happened["entries"] += 1

    def _correct(self, game: int, entry: Entry, random: Random) -> None:
        """Correct or scratch an earlier hand."""
        written = self.played[game]
        place = written.index(entry)
        dice = next(dice for dice in HANDS[entry.box] if dice != entry.dice)
        words = ("amend", str(place + 1), dice, "2", "--as", entry.box)
        fault = self._fault(random)
        done = self.type("--game", str(game), *words, fault=fault)
        there = [each for each in self._file(game)["events"] if each["event"]["kind"] == "amended"]
        if (
            there
            and there[-1]["event"]["turn"] == place + 1
            and "".join(map(str, there[-1]["event"]["entry"]["dice"])) == dice
        ):
            written[place] = Entry(entry.player, entry.box, dice)
            self.happened["corrections"] += 1
        else:
            assert done.code != 0, ("acknowledged, and not there", words, done)
            assert fault, (words, done)

    def _check(self) -> None:
        """Compare acknowledged entries with the files, and the standings with a recount."""
        points, sums, wins = defaultdict[str, Fraction](Fraction), Counter[str](), Counter[str]()
        for game, written in self.played.items():
            file = self._file(game)
            found = totals(file)
            assert found == file["result"]["totals"], game
            entered = Counter((each.player, each.box) for each in written)
            events = standing(file)
            assert entered == Counter(
                (event["player"], event["category"]) for event in events if event["kind"] != "amended"
            )
            ordered = sorted(found.values(), reverse=True)
            for player, total in found.items():
                first, many = ordered.index(total), ordered.count(total)
                points[player] += Fraction(sum((4, 2, 1, 0, 0, 0)[first : first + many]), many)
                sums[player] += total
                wins[player] += first == 0
        shown = self.type("tournament", "standings").document["standings"]
        for row in shown:
            player = row["player"]
            assert abs(Fraction(row["points"]) - points[player]) < Fraction(1, 100), (row, points[player])
            assert (row["total"], row["wins"]) == (sums[player], wins[player]), row
        order = [(Fraction(row["points"]), row["total"]) for row in shown]
        assert order == sorted(order, reverse=True)
        assert self.type("doctor").code == 0


def main() -> None:
    """Play several nights and print statistics."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nights", type=int, default=1)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    for seed in range(asked.seed, asked.seed + asked.nights):
        with TemporaryDirectory() as folder:
            night = Night(seed, Path(folder).resolve(), asked.players, asked.rounds)
            night.run()
            done = ", ".join(f"{count} {what}" for what, count in sorted(night.happened.items()))
            sys.stdout.write(f"seed {seed}: {done}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
