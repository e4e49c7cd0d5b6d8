"""One of many writers: a process that plays its part at a table and reports the answers.

    python -m tests.sessions.writer '{"plan": "one", ...}'

Plans. `one`: enter five rounds for some players of one game, and wait for the others after each round.
`several`: start a rematch, which becomes current, choose one of these games, enter a hand in the current
game, and repeat. `read`: read until the standard input is closed.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import permutations
from random import Random
from typing import Any

from tests.cli.program import GENERALA
from tests.sessions.forked import Ended, delayed, dying_at, run_forked, warm_up

ROUNDS = ("ones", "twos", "threes", "fours", "fives")
READS = ("sheet", "log", "games")
SCORE_OPERATIONS = 20  # every `score` takes at least this many operations
_PAUSE = 0.05  # between two reads, so that readers leave time for writers
_WAITING = "generala: waiting for another generala to finish writing\n"
_STRAIGHTS = [
    [*order, throw]
    for run in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
    for order in permutations(run)
    for throw in (2, 3)
]


class WentWrong(Exception):
    """A command ended in a wrong way."""


@dataclass(kw_only=True)
class Part:
    """The task of one writer, and its results.

    Attributes:
        players: the players to enter for. entries: the number of hands.
        real: write with the installed program, not with a forked copy.
        delay: seconds before every operation on the store.
        deadly: one entry of this many is killed first, or 0.
        acknowledged: answers of saved entries. waits: the number of waits. kills: the number of killed
            commands, without refused ones.
        wrong: commands with a wrong end. reads: the number of reads.
    """

    plan: str
    number: int
    players: list[str] = field(default_factory=list)
    entries: int = 25
    real: bool = False
    delay: float = 0
    deadly: int = 0
    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    games: list[dict[str, Any]] = field(default_factory=list)
    kills: int = 0
    aimed: int = 0
    waits: int = 0
    reads: int = 0
    wrong: list[str] = field(default_factory=list)

    def command(self, *arguments: str, dies: int = 0) -> Ended:
        """Run a command. If an operation is given, kill the command there."""
        if self.real and arguments[0] not in READS:
            done = subprocess.run(
                [GENERALA, *arguments, "--json"], capture_output=True, text=True, check=False
            )
            return Ended(code=done.returncode, out=done.stdout, err=done.stderr)
        before: Callable[[], None] | None = delayed(self.delay) if self.delay else None
        ended = run_forked([*arguments, "--json"], dying_at(dies) if dies else before)
        self.aimed += bool(dies) and ended.code != 1  # a refusal may take fewer operations
        return ended

    def read(self, *arguments: str) -> dict[str, Any]:
        """Return the answer of a reading command, which must always succeed."""
        ended = self.command(*arguments)
        self.reads += 1
        self.expect(ended.code == 0 and not ended.err, arguments, ended)
        return dict(json.loads(ended.out))

    def expect(self, is_right: bool, arguments: tuple[str, ...], ended: Ended) -> None:
        """Stop if something is wrong."""
        if not is_right:
            raise WentWrong(f"{' '.join(arguments)}: {ended}")

    def where_to_die(self, randomness: Random) -> int:
        """Return the operation before which the next entry is killed, or 0."""
        if not self.deadly or randomness.randrange(self.deadly):
            return 0
        return randomness.randint(1, SCORE_OPERATIONS)

    def written(self, *arguments: str, dies: int) -> dict[str, Any] | None:
        """Return the answer of a command that must succeed, or None if it was killed."""
        ended = self.command(*arguments, dies=dies)
        if ended.was_killed:
            self.kills += 1
            return None
        self.expect(ended.code == 0 and ended.err in ("", _WAITING), arguments, ended)
        return dict(json.loads(ended.out))


def play_one(part: Part, randomness: Random) -> None:
    """Enter every round for every player, in the box of the round."""
    for round_, box in enumerate(ROUNDS):
        for player in part.players:
            dice = [round_ + 1, *(randomness.randint(1, 6) for _ in range(4))]
            _enter(
                part, randomness, player, round_, ("score", *map(str, dice), "--as", box, "--player", player)
            )


def _enter(part: Part, randomness: Random, player: str, round_: int, typed: tuple[str, ...]) -> None:
    """Repeat until the entry is on the sheet. Once the round is open, a refusal is wrong."""
    is_open = _round(part) >= round_
    while True:
        ended = part.command(*typed, dies=part.where_to_die(randomness))
        if ended.code == 0:
            part.expect(ended.err in ("", _WAITING), typed, ended)
            part.acknowledged.append(json.loads(ended.out))
            return
        if ended.was_killed:
            part.kills += 1
            if _is_entered(part, player, round_):
                return
        elif is_open or not _says_to_wait(ended, player):
            part.expect(False, typed, ended)
        else:
            part.waits += 1
            is_open = _wait_for(part, round_)


def _wait_for(part: Part, round_: int) -> bool:
    while _round(part) < round_:
        time.sleep(_PAUSE)
    return True


def _says_to_wait(ended: Ended, player: str) -> bool:
    """Check the only right refusal: the player's turn is over. It names the players who are next."""
    error: Mapping[str, str] = (
        json.loads(ended.out)["error"] if ended.code == 1 else {"message": "", "hint": ""}
    )
    left = error["hint"].removeprefix("still to play this round: ").replace(" and ", ", ").split(", ")
    return error["message"].startswith(f"{player} has had this round's turn") and player not in left


def _round(part: Part) -> int:
    boxes = part.read("sheet")["boxes"]
    return min(sum(box is not None for box in column.values()) for column in boxes.values())


def _is_entered(part: Part, player: str, round_: int) -> bool:
    return part.read("sheet")["boxes"][player][ROUNDS[round_]] is not None


def play_several(part: Part, randomness: Random) -> None:
    """Enter hands that no other writer enters, to recognize them."""
    hands = iter(_STRAIGHTS[part.number :: 8])
    for turn in range(part.entries):
        if turn % 5 == 0:
            _start(part, randomness, f"game of {part.number}, {turn}")
        elif turn % 5 == 3:
            part.written("use", str(part.games[-1]["game"]), dies=0)
        answer = None
        while answer is None:
            *dice, throw = next(hands)
            typed = ("score", *map(str, dice), "--roll", str(throw))
            answer = part.written(*typed, dies=part.where_to_die(randomness))
        part.acknowledged.append(answer)


def _start(part: Part, randomness: Random, label: str) -> None:
    """Start a game with this label exactly once, even if the command is killed."""
    while True:
        answer = part.written("rematch", "--name", label, dies=part.where_to_die(randomness))
        known = part.read("games")["games"] if answer is None else [answer]
        if started := [game for game in known if game["label"] == label]:
            part.games += started
            return


def read_on(part: Part, _randomness: Random) -> None:
    """Read until the input closes. The number of games and entries must never fall."""
    games, entries = 0, 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        part.read("sheet")
        log = part.read("log")
        seen = part.read("games")
        now = len(seen["games"]), len(log["entries"])
        if now[0] < games or seen["damaged"] or (part.players and now[1] < entries):
            raise WentWrong(f"{games} games and {entries} entries became {now}: {seen['damaged']}")
        games, entries = now
        time.sleep(_PAUSE)


PLANS: Mapping[str, Callable[[Part, Random], None]] = {
    "one": play_one,
    "several": play_several,
    "read": read_on,
}


def main() -> None:
    """Play the part in the first argument, and print it with its results."""
    part = Part(**json.loads(sys.argv[1]))
    os.environ["LC_ALL"] = "C.UTF-8"
    warm_up()
    try:
        PLANS[part.plan](part, Random(part.number))
    except WentWrong as error:
        part.wrong.append(str(error))
    print(json.dumps(asdict(part)))  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
