"""An evening with phones only, in a real browser, with everything that goes wrong in a bar.

    python -m tests.board.evenings --seed 7 --evenings 20

Phones scan, are let in, and play five games by taps. Tabs are closed and reopened, the network fails, the
server is killed and restarted, both keepers tap at once, and a shell enters turns meanwhile. Every entry that
a phone saw confirmed must be in the file once, and every entry in the file must have been made. An
independent reader recounts totals and debts.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.board.chromium import PHONE, Browser, Tab, browser
from tests.cli.plain_reader import documents, standing, totals

NAMES = ("Ana", "Beto", "Cora", "Dani", "Eva")
STAKES = {"stake": "0.10", "unit": "USD"}
GAMES: tuple[dict[str, str], ...] = (
    {"rules": "general", "openings": "yes"},
    {"rules": "kniffel"},
    {"rules": "yahtzee"},
    {"rules": "maxi-yatzy"},
    {"rules": "general", "payout": "pot"},
)


class Board:
    """A board in its own process, which can be killed and restarted."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.environment = {"GENERALA_ROOT": str(home), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        self.begin()

    def begin(self) -> None:
        """Start the board, at its previous address if it had one."""
        command = [sys.executable, "-m", "generala_cli", "board", "--pad", "--json"]
        self._process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._process.stderr and self._process.stderr.read()
        self.addresses: dict[str, Any] = json.loads(line)

    def kill(self) -> None:
        """Kill the board, like `kill -9`."""
        self._process.kill()
        self._process.communicate()

    def shell(self, *words: str) -> dict[str, Any]:
        """Return the answer of a command in a shell."""
        command = [sys.executable, "-m", "generala_cli", *words, "--json"]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@dataclass
class Phone:
    """A phone: its tab, which may be closed and reopened, and its address."""

    browser: Browser
    tab: Tab
    address: str
    entered: list[dict[str, Any]] = field(default_factory=list)

    def close_and_open(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Swipe the tab away, and open it again."""
        self.browser.send("Target.createTarget", url="about:blank", browserContextId=self.tab.context)
        self.tab.send("Page.close")
        meanwhile()
        self.tab = self.browser.open_beside(self.tab.context, self.address, PHONE, "en")

    def set_network(self, *, is_there: bool) -> None:
        """Turn the network off or on."""
        self.tab.send("Network.enable")
        self.tab.send(
            "Network.emulateNetworkConditions",
            offline=not is_there,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )


class Evening:
    """One evening. Everything follows from its seed, except for timing."""

    def __init__(self, seed: int, home: Path, opened: Browser, games: int) -> None:
        self.random = Random(seed)
        self.browser = opened
        self.home = home
        self.games = games
        self.board = Board(home)
        self.faults: Counter[str] = Counter()
        self.taps: list[int] = []
        self.by_shell = 0

    def run(self) -> None:
        """Play it, and check it."""
        try:
            self._everybody_comes()
            for place in range(self.games):
                self._new_game(GAMES[place % len(GAMES)])
                while self._turn():
                    pass
            self._pay()
            self._check()
        finally:
            self.board.kill()

    def _everybody_comes(self) -> None:
        found = self.board.addresses
        self.keepers = [
            Phone(self.browser, self.browser.open(found["keeper"]), found["keeper"]) for _ in "12"
        ]
        self.phones: dict[str, Phone] = {}
        for name in NAMES[: self.random.randint(2, len(NAMES))]:
            tab = self.browser.open(found["join"])
            tab.until_shown("Who are you?")
            typed = f"const f = document.querySelector('#seat form input'); f.value = {json.dumps(name)};"
            tab.run(f"(() => {{ {typed} f.oninput({{ target: f }}); }})()")
            tab.tap("ask for a seat")
            keeper = self.keepers[0].tab
            keeper.until_shown(f"{name} asks for a seat")
            keeper.tap("✓ let in")
            tab.until("state.seat.kind === 'player'")
            self.phones[name] = Phone(self.browser, tab, str(tab.run("location.href")))
            keeper.until("state.seat.asking.length === 0 && !busy()")

    def _new_game(self, wanted: dict[str, str]) -> None:
        keeper = self.keepers[0].tab
        names = [*self.phones]
        keeper.until("state.view && !busy()")
        keeper.run("openForm('new')")
        keeper.until("paper.form && paper.form.name === 'new'")
        keeper.run(f"openForm('new', {{ rules: {json.dumps(wanted['rules'])} }})")
        keeper.until(f"paper.form.values.rules === {json.dumps(wanted['rules'])}")
        values = {"players": " ".join(f"{name}," for name in names), **STAKES}
        values |= {key: value for key, value in wanted.items() if key == "payout"}
        throws = {}
        if "openings" in wanted:
            lowest = ["11112", "12345", "33355", "66654", "11223"]
            throws = dict(zip(names, self.random.sample(lowest, len(names)), strict=True))
        keeper.run(f"Object.assign(paper.form.values, {json.dumps(values)})")
        keeper.run(f"paper.form.throws = {json.dumps(throws)}")
        started = len(self.board.shell("games")["games"])
        keeper.run("sendForm()")
        if self.random.random() < 0.3:
            self.faults["killed while a game began"] += 1
            self._kill()
        keeper.until("!busy() && !paper.form")
        assert len(self.board.shell("games")["games"]) == started + 1

    def _kill(self) -> None:
        self.board.kill()
        time.sleep(self.random.random() / 5)
        self.board.begin()

    def _turn(self) -> bool:
        """Play one turn in a random way. Return whether the game continues."""
        game = self.board.shell("sheet")
        if game["over"]:
            return False
        player, way = game["next"], self.random.random()
        phone = self.phones[player] if way < 0.8 else self.keepers[0]
        if way > 0.97:
            self.by_shell += 1
            self.board.shell("scratch", self._open_box(game))
            return True
        number = game["game"]
        (recorded,) = documents((self.home / f"data/games/{number}/game.json").read_bytes())
        events = len(recorded["events"])  # the phone must have heard of all of them, or it would ask again
        phone.tab.until(f"shown()?.game === {number} && shown().events === {events}")
        self._play(phone)
        return True

    def _open_box(self, game: dict[str, Any]) -> str:
        boxes = game["boxes"][game["next"]]
        return str(self.random.choice([name for name, box in boxes.items() if box is None]))

    def _play(self, phone: Phone) -> None:
        """Tap a hand into a pad and send it. Things may go wrong in between."""
        random, tab = self.random, phone.tab
        tab.until("state.view && link.stream && !busy()")
        if tab.run("pad.hand.of !== null"):  # that state is over, so the pad asks whose dice these are
            tab.run("drop(); redraw()")
        tab.until("document.querySelector('#pad .keys button:not(:disabled)')")
        dice, faces = tab.run("[shown().dice, shown().faces]")
        hand = [random.randint(1, faces) for _ in range(dice)]
        if random.random() < 0.3:
            hand = [hand[0]] * (dice - 1) + hand[-1:]
        taps = 0
        for place, die in enumerate(hand):
            tab.tap(str(die), "#pad .keys")
            taps += 1
            if place == 2 and random.random() < 0.04:
                self.faults["closed while typing"] += 1
                phone.close_and_open()
                tab = phone.tab
                tab.until(f"state.view && pad.hand.dice.length === {place + 1}")
        if random.random() < 0.02:
            self.faults["a shell entered meanwhile"] += 1
            self.by_shell += 1
            self.board.shell("scratch", self._open_box(self.board.shell("sheet")))
            tab.until("document.querySelector('#pad [role=alert]') || document.querySelector('#pad').hidden")
            tab.run("drop(); redraw()")
            return
        tab.until("pad.hand.options")
        boxes = "document.querySelectorAll('#pad .boxes button')"
        count = tab.run(f"{boxes}.length")
        if not count:  # the game has moved on, and the pad asks whose dice these are
            tab.run("drop(); redraw()")
            return
        if not tab.run("pad.hand.choice") or random.random() < 0.3:
            tab.run(f"{boxes}[{random.randrange(count)}]?.click()")
            taps += 1
        if not tab.run("pad.hand.choice"):
            tab.run("drop(); redraw()")
            return
        sent = tab.run(
            "({ ...pad.hand.of, seen: pad.hand.of.events, dice: pad.hand.dice, choice: pad.hand.choice })"
        )
        self.taps.append(taps + 1)
        fault = random.random()
        if fault < 0.03:
            phone.set_network(is_there=False)
        tab.run("document.querySelector('#pad .send button').click()")
        if fault < 0.03:
            self.faults["sent without a network"] += 1
            time.sleep(0.1)
            phone.set_network(is_there=True)
        elif fault < 0.06:
            self.faults["killed while sending"] += 1
            self._kill()
        elif fault < 0.09:
            self.faults["closed while sending"] += 1
            phone.close_and_open()
            tab = phone.tab
        elif fault < 0.11:
            self.faults["closed while sending, and killed"] += 1
            phone.close_and_open(self._kill)
            tab = phone.tab
        elif fault < 0.14 and phone in self.keepers:
            self.faults["two keepers at once"] += 1
            other = self.keepers[1].tab
            body = {"game": sent["game"], "seen": sent["seen"], "player": sent["player"]}
            body |= {
                "dice": "".join(map(str, sent["dice"])),
                "roll": "",
                "category": sent["choice"]["category"],
            }
            body["scratch"] = sent["choice"]["points"] is None and not sent["choice"]["wins"]
            other.run(f"post('turn', {json.dumps(body)})")
            other.until("!busy()")
            if other.run("state.done !== ''"):
                self.keepers[1].entered.append(sent)
        tab.until("state.view && !busy()")
        if tab.run("state.trouble === ''"):
            phone.entered.append(sent)

    def _pay(self) -> None:
        """Record the first payment in the ledger. A phone that got no answer sends it again."""
        keeper = self.keepers[0].tab
        if not self.board.shell("ledger")["units"]:
            return
        keeper.until("state.view && !busy()")
        keeper.run("openForm('pay')")
        keeper.until("paper.form && paper.form.name === 'pay'")
        keeper.run("sendForm()")
        self._kill()
        keeper.until("!busy() && !paper.form")

    def _check(self) -> None:
        """Compare the phones' confirmations with the files, and both with a plain recount."""
        told = [sent for phone in (*self.phones.values(), *self.keepers) for sent in phone.entered]
        found: list[tuple[int, int]] = []
        by_shell = 0
        net: dict[str, Decimal] = defaultdict(Decimal)
        for path in sorted(self.home.glob("data/games/*/game.json"), key=lambda path: int(path.parent.name)):
            (game,) = documents(path.read_bytes())
            for number, recorded in enumerate(game["events"]):
                if recorded.get("by", "").startswith("pad"):
                    found.append((game["game"], number))
                else:
                    by_shell += 1
            assert totals(game) == game["result"]["totals"], path
            shown = self.board.shell("payouts", str(game["game"]))
            for name, amount in shown["net"].items():
                net[name] += Decimal(amount)
            for sent in told:
                if sent["game"] == game["game"]:
                    event = game["events"][sent["seen"]]["event"]
                    assert event["player"] == sent["player"], (sent, event)
                    assert event["dice"] == sent["dice"] or event["kind"] == "scratched", (sent, event)
            assert len(standing(game)) == len(game["events"])
        said = sorted((sent["game"], sent["seen"]) for sent in told)
        assert said == sorted(found), (Counter(said) - Counter(found), Counter(found) - Counter(said))
        assert by_shell == self.by_shell
        (account,) = self.board.shell("ledger")["units"]
        (payment,) = account["payments"]
        net[payment["from"]] += Decimal(payment["amount"])
        net[payment["to"]] -= Decimal(payment["amount"])
        assert {name: Decimal(amount) for name, amount in account["net"].items()} == {
            name: amount for name, amount in net.items() if name in account["net"]
        }


def main() -> None:
    """Run several evenings and print statistics."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--evenings", type=int, default=1)
    parser.add_argument("--games", type=int, default=len(GAMES))
    asked = parser.parse_args()
    for seed in range(asked.seed, asked.seed + asked.evenings):
        with (
            TemporaryDirectory() as home,
            TemporaryDirectory(ignore_cleanup_errors=True) as profile,
            browser(Path(profile)) as opened,  # in its own context, because its tabs stay open until it ends
        ):
            evening = Evening(seed, Path(home), opened, asked.games)
            evening.run()
            faults = ", ".join(f"{count} x {fault}" for fault, count in evening.faults.items())
            done = f"{len(evening.taps)} hands, at most {max(evening.taps)} taps; {faults}"
            sys.stdout.write(f"seed {seed}: {done}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
