"""The commands of people, and other events on machines and in the shared folder.

A step holds everything that it needs, so a run without some of its steps is still a run. A step does nothing
if there is nothing to do.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from random import Random
from typing import NamedTuple, Protocol

from generala_cli.app import rule_sets
from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.diagnosis import restore
from generala_cli.doctor.versions import compare, take
from generala_cli.errors import DamagedFile, NotFound
from generala_cli.exchange import importing
from generala_cli.exchange.answers import Sync as SyncAnswer
from generala_cli.exchange.syncing import sync
from generala_cli.game import decisions
from generala_cli.game.turnline import TurnLine
from generala_cli.games import keeping, starting
from generala_cli.ledger import paying, people
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.progress import no_progress
from generala_cli.rules.rulefile import rules_toml
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.files import write_new
from generala_cli.store.gamefile import GameFile
from generala_cli.store.histories import knows_of
from generala_cli.store.subjects import of_game
from generala_cli.table import turns as table
from generala_cli.tournament import agreeing, changing, seating
from generala_cli.tournament import storing as tournaments
from generala_cli.training import storing as training
from generala_cli.training.trainingfile import Answered, DrawnHand
from tests.store.files import tiny_rules
from tests.world.disk import Disks
from tests.world.machine import SHARED, Machine, subject_of

PEOPLE = ("Ana", "Beto", "Cora", "Dani")
OTHER_NAMES = ("Anita", "Ani", "Betito", "Corita")
UNITS = ("USD", "drink")
HOUSES = ("casa", "fonda")
_rules: Callable[[], RuleSet] = cache(tiny_rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The report of a finished command.

    Attributes:
        words: the answer. game: the number of the game with new events. kinds: their kinds.
        payments: ids of new events of payments and names. An undone payment keeps its id.
        facts: ids of new training answers or tournament events.
        begun, deleted, chosen: the id of a game.
        synced: the answer of a sync or an import, which brings data of other machines.
    """

    words: str
    game: int | None = None
    kinds: Counter[str] = field(default_factory=Counter)
    payments: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    begun: str = ""
    deleted: str = ""
    chosen: str = ""
    is_exchange: bool = False
    synced: SyncAnswer | None = None


class Command(Protocol):
    """A command at a machine. It raises the program's refusals."""

    def run(self, machine: Machine, random: Random) -> Report: ...


def _some_game(machine: Machine, random: Random, *, is_anyones: bool) -> int:
    """Return a game, recent ones more often: any game, or one started here if there is one."""
    reading = machine.read()
    there = sorted(reading.games.items())
    missing = sorted(int(name) for name in reading.missing if name.isdecimal())
    if missing and random.random() < 0.3:
        return random.choice(missing)
    own = [number for number, version in there if version.id in machine.begun and not version.is_over]
    found = own if own and not is_anyones else [number for number, _ in there]
    if not found:
        raise NotFound("there is no game")
    return found[-1] if random.random() < 0.5 else random.choice(found)


def _two_names(machine: Machine, random: Random) -> list[str]:
    """Return two names, most likely of players here."""
    playing = {name: None for version in machine.read().games.values() for name, _ in version.totals}
    known = [*playing] if len(playing) > 1 and random.random() < 0.8 else [*PEOPLE, *OTHER_NAMES]
    return random.sample(known, 2)


@dataclass(frozen=True, slots=True)
class New:
    """Start a game."""

    players: int
    house: str

    def run(self, machine: Machine, random: Random) -> Report:
        store = machine.store()
        rules = _rules()
        if f"{self.house}.toml" in machine.read().rules:
            rules = rule_sets.load_rules(self.house, machine.house_rules, bytes)
        names = random.sample(PEOPLE, self.players)
        begun = starting.new(store, rules, names, stake="1", unit=random.choice(UNITS), payout="pairwise")
        file = begun.stored.file
        machine.begun.add(file.id)
        return Report(words=f"game {file.game}: {', '.join(names)}", begun=file.id)


@dataclass(frozen=True, slots=True)
class Play:
    """Enter turns in a game: a hand if it fits, otherwise a scratch."""

    is_anyones: bool

    def run(self, machine: Machine, random: Random) -> Report:
        number = _some_game(machine, random, is_anyones=self.is_anyones)
        game = machine.store().load(number).game
        if game.to_move is None:
            raise NotFound(f"game {number} is over")
        dice = (random.randint(1, 3), random.randint(1, 3))
        found = decisions.choices(game, game.to_move, dice, 2)
        if found and random.random() < 0.8:
            line = TurnLine(
                words=("".join(map(str, dice)),), category=random.choice(found).category.id, roll="2"
            )
        else:
            is_open = [box.id for box in game.open_categories(game.to_move)]
            line = TurnLine(words=("x", random.choice(is_open)))
        entered = table.enter(machine.store(number), line)
        kind = "scratched" if entered.entry.scratched else "scored"
        return Report(words=f"turn {entered.turn} of game {number}", game=number, kinds=Counter([kind]))


@dataclass(frozen=True, slots=True)
class Change:
    """Change entries or players: undo, redo, amend, rename, leave, join."""

    how: str
    is_anyones: bool

    def run(self, machine: Machine, random: Random) -> Report:
        number = _some_game(machine, random, is_anyones=self.is_anyones)
        store = machine.store(number)
        seats = store.load(number).game.seats
        is_news = True
        match self.how:
            case "undo":
                table.undo(store)
                kind = "undone"
            case "redo":
                table.redo(store)
                kind = "redone"
            case "amend":
                turns = max(1, len(store.load(number).game.entries))
                dice = f"{random.randint(1, 3)}{random.randint(1, 3)}"
                is_news = table.amend(store, random.randint(1, turns), TurnLine(words=(dice,))).saved
                kind = "amended"
            case "rename":
                name = random.choice(OTHER_NAMES)
                is_news = table.rename(store, random.choice(seats), name, check=_check).is_news
                kind = "renamed"
            case "label":
                is_news = table.label(store, random.choice(OTHER_NAMES)).is_news
                kind = "labelled"
            case "leave":
                is_news = table.leave(store, random.choice(seats)).is_news
                kind = "left"
            case _:
                is_news = table.join(store, random.choice(PEOPLE), check=_check).is_news
                kind = "joined"
        kinds = Counter([kind] if is_news else [])
        return Report(
            words=f"{kind} in game {number}{'' if is_news else ', as it was'}", game=number, kinds=kinds
        )


def _check(_name: str, _rules: RuleSet) -> None:
    """Return any name."""


@dataclass(frozen=True, slots=True)
class Pay:
    """Record a payment."""

    def run(self, machine: Machine, random: Random) -> Report:
        one, other = _two_names(machine, random)
        amount, unit = str(random.randint(1, 9)), random.choice(UNITS)
        made = paying.pay(machine.store(), one, other, amount, unit=unit)
        return Report(
            words=f"{one} paid {other} {amount} {unit}",
            payments=tuple(each.id for each in made.payments),
        )


@dataclass(frozen=True, slots=True)
class Train:
    """Answer a training hand."""

    def run(self, machine: Machine, random: Random) -> Report:
        store = machine.store()
        hand = DrawnHand(rules="01234567", number=random.randint(1, 9), throw=1, dice=(1, 2))
        answer = Answered(id=store.next_id(), player="Ana", hand=hand, kept=(), cost=random.random())
        training.add(store, answer)
        return Report(words=f"an answer to hand {hand.number}", facts=(answer.id,))


@dataclass(frozen=True, slots=True)
class Tournament:
    """Start a tournament, seat a round, add, drop or move a player, or undo the last event."""

    how: str

    def run(self, machine: Machine, random: Random) -> Report:
        store, before = machine.store(), machine.read()
        there = tournaments.numbers(store)
        which = str(random.choice(there)) if there else None
        match self.how if which is not None else "new":
            case "new":
                agreeing.begin(
                    store,
                    "Copa",
                    _rules(),
                    PEOPLE,
                    rounds=2,
                    tables_of=3,
                    stake="1",
                    unit=random.choice(UNITS),
                    payout="pairwise",
                    seed=1,
                )
            case "seat":
                seating.seat(store, which)
            case "add":
                changing.add(store, which, [random.choice([*PEOPLE, *OTHER_NAMES])])
            case "drop":
                changing.drop(store, which, [random.choice(PEOPLE)])
            case "move":
                one, other = random.sample(PEOPLE, 2)
                changing.move(store, which, one, other, None)
            case _:
                changing.undo(store, which, 1)
        after = machine.read()
        known = {version.id for version in before.games.values()}
        machine.begun |= {version.id for version in after.games.values()} - known
        facts = tuple(after.facts.keys() - before.facts.keys())
        return Report(words=f"tournament {which or 'Copa'}: {self.how}", facts=facts)


@dataclass(frozen=True, slots=True)
class Settle:
    """Record every payment that the ledger shows."""

    def run(self, machine: Machine, random: Random) -> Report:
        store = machine.store()
        books = read_ledger_data(store, strict=True)
        made = paying.settle(store, books, ledger(books))
        return Report(
            words=f"{len(made.payments)} payments settle all",
            payments=tuple(each.id for each in made.payments),
        )


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last payments."""

    count: int

    def run(self, machine: Machine, random: Random) -> Report:
        made = paying.undo(machine.store(), self.count)
        ids = tuple(f"undone {each.id}" for each in made.payments)
        return Report(words=f"{len(ids)} payments taken back", payments=ids)


@dataclass(frozen=True, slots=True)
class Names:
    """Join two names of one person, or separate a name."""

    is_same: bool

    def run(self, machine: Machine, random: Random) -> Report:
        one, other = random.choice(_two_names(machine, random)), random.choice(OTHER_NAMES)
        before = set(machine.read().payments)
        if self.is_same:
            changed = people.join_names(machine.store(), [one, other])
        else:
            changed = people.part_name(machine.store(), one)
        new = tuple(key for key in machine.read().payments if key not in before)
        words = f"{one} and {other} are one" if self.is_same else f"{one} is a separate person"
        return Report(words=words, payments=new if changed.saved else ())


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a game with its other versions."""

    def run(self, machine: Machine, random: Random) -> Report:
        store = machine.store()
        number = _some_game(machine, random, is_anyones=True)
        key, versions = store.id_of(of_game(number)), store.copies(of_game(number))
        if key is None:  # its file is missing, and so is every trace of its id
            raise NotFound("its id is unknown")
        machine.deleting.add(key)
        machine.spent.add(number)  # perhaps started at the same time, and unknown to the others
        keeping.delete(store, number, versions=versions, then=None, is_meant=True, used=False, dry_run=False)
        return Report(words=f"game {number} is deleted", deleted=key)


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose one of several versions of a game."""

    is_other: bool

    def run(self, machine: Machine, random: Random) -> Report:
        found = sorted(machine.read().beside)
        if not found:
            raise NotFound("nothing is to be chosen")
        return choose(machine, random.choice(found), random, is_other=self.is_other)


def choose(machine: Machine, number: int, random: Random, *, is_other: bool) -> Report:
    """Choose this version of a game, or a different one."""
    store, versions = machine.store(), machine.read().beside.get(number)
    found = compare(store, number)
    if versions is None or found is None:  # a different process was faster
        raise NotFound("nothing is to be chosen")
    names = [version.take for version in found.usable]
    which = random.choice(names[1:]) if is_other and names[1:] else names[0]
    machine.choosing.add(versions[0].id)
    take(store, number, which)
    chosen = store.load(number).file.id
    return Report(words=f"{which} of game {number} is taken", chosen=chosen, game=number)


def follow(machine: Machine) -> int:
    """Follow every choice of other machines that settles a question here. Return their number."""
    count = 0
    for number in sorted(machine.read().beside):
        store, found = machine.store(), compare(machine.store(), number)
        versions = found.usable if found is not None else ()
        files = [GameFile.decode(store.folder.read(each.file) or b"") for each in versions]
        for version, file in zip(versions, files, strict=True):
            if all(other is file or knows_of(file, other) for other in files):
                take(store, number, version.take)
                machine.choosing.add(file.id)
                count += 1
                break
    return count


@dataclass(frozen=True, slots=True)
class Mend:
    """Restore every missing file from its backup; forget files without a backup."""

    def run(self, machine: Machine, random: Random) -> Report:
        return mend(machine)


def mend(machine: Machine) -> Report:
    """Follow the advice of `doctor` for every missing file of a machine."""
    store, missing = machine.store(), sorted(machine.read().missing)
    if not missing:
        raise NotFound("nothing is missing")
    for name in missing:
        game = of_game(int(name)) if name.isdecimal() else None
        key = None if game is None else store.id_of(game)
        try:
            restore(store, name)
        except DamagedFile:
            found = None if game is None else compare(store, int(name))
            if found is not None and found.usable:  # other versions of it are here
                take(store, int(name), found.usable[0].take)
                machine.choosing.add(store.load(int(name)).file.id)
                continue
            if key is not None:
                machine.deleting.add(key)
            accept(store, *acceptance(store, name))
    return Report(words=f"{', '.join(missing)}: restored or forgotten", is_exchange=True)


@dataclass(frozen=True, slots=True)
class WriteRules:
    """Write a house rule file."""

    name: str

    def run(self, machine: Machine, random: Random) -> Report:
        path = machine.house_rules.path(self.name)
        text = rules_toml(_rules()).replace('"the tests"', f'"house {random.randint(1, 3)}"')
        machine.edited.add(path.name)
        write_new(path, text)
        return Report(words=f"rules {self.name}")


@dataclass(frozen=True, slots=True)
class Sync:
    """Share the folder."""

    with_deleted: bool = False
    name: str = ""

    def run(self, machine: Machine, random: Random) -> Report:
        synced = sync(
            machine.store(),
            machine.house_rules,
            machine.config,
            folder=SHARED,
            name=self.name or machine.name,
            with_deleted=self.with_deleted,
            dry_run=False,
            progress=no_progress,
        )
        news = [each.machine for each in synced.machines if each.is_news]
        return Report(
            words=f"synced, news from {', '.join(news) or 'nobody'}", is_exchange=True, synced=synced
        )


@dataclass(frozen=True, slots=True)
class Import:
    """Import one file of the shared folder."""

    def run(self, machine: Machine, random: Random) -> Report:
        names = sorted(machine.disks.files(SHARED))
        if not names:
            raise NotFound("there is no file")
        imported = importing.import_file(
            machine.store(),
            machine.house_rules,
            machine.config,
            f"{SHARED}/{random.choice(names)}",
            lambda _: b"",
            dry_run=False,
            progress=no_progress,
        )
        return Report(words=f"{imported.file} is imported", is_exchange=True)


# Other events on machines and in the folder


class Happening(Protocol):
    """An event that is not a command."""

    def happen(self, disks: Disks, machines: Sequence[Machine], random: Random) -> str: ...


@dataclass(frozen=True, slots=True)
class SetClock:
    """The clock of a machine goes wrong by this much."""

    machine: int

    def happen(self, disks: Disks, machines: Sequence[Machine], random: Random) -> str:
        machine = machines[self.machine % len(machines)]
        machine.skew = timedelta(minutes=random.choice([0, 1, -1, 60, 60 * 24 * 3650, -60 * 24 * 3650, -7]))
        return f"the clock of {machine.name} is wrong by {machine.skew}"


@dataclass(frozen=True, slots=True)
class CopyData:
    """A new machine gets a copy of another machine's data folder and rules."""

    source: int
    target: int

    def happen(self, disks: Disks, machines: Sequence[Machine], random: Random) -> str:
        source, target = (machines[each % len(machines)] for each in (self.source, self.target))
        if disks.files(f"{target.place}/data") or not disks.files(f"{source.place}/data"):
            return ""
        for folder in ("data", "config/rules"):  # but not its settings for sync, such as its name
            for path, data in disks.files(f"{source.place}/{folder}").items():
                disks.write(f"{target.place}/{folder}/{path}", data)
            for path in disks.folders(f"{source.place}/{folder}"):
                disks.make_folder(f"{target.place}/{folder}/{path}")
        target.synced, target.spent = set(source.synced), set(source.spent)
        return f"{target.name} gets a copy of {source.name}'s files"


@dataclass(frozen=True, slots=True)
class Disturb:
    """A sync program changes files of the shared folder."""

    how: str

    def happen(self, disks: Disks, machines: Sequence[Machine], random: Random) -> str:
        files = disks.files(SHARED)
        names = sorted(name for name in files if not name.startswith("."))
        if not names:
            return ""
        name = random.choice(names)
        place = f"{SHARED}/{name}"
        match self.how:
            case "cut short":
                disks.write(place, files[name][: random.randrange(len(files[name]))])
            case "delete":
                disks.write(place, None)
            case "copy":
                disks.write(f"{SHARED}/copy {random.randrange(2)} of {name}"[:120], files[name])
            case _:
                disks.write(place, files[random.choice(names)])
        return f"{name}: {self.how}"


@dataclass(frozen=True, slots=True)
class TakeAway:
    """Another program deletes a file of a machine."""

    machine: int

    def happen(self, disks: Disks, machines: Sequence[Machine], random: Random) -> str:
        machine = machines[self.machine % len(machines)]
        taken = take_away(machine, random)
        return f"{machine.name} loses {taken}" if taken else ""


def take_away(machine: Machine, random: Random) -> str:
    """Delete a file of a machine and return its path. Keep the last proof that a file existed."""
    files = machine.disks.files(machine.place)
    subjects = {path: subject for path in files if (subject := subject_of(path))}
    proofs = Counter(subjects.values())
    found = [path for path, subject in subjects.items() if proofs[subject] > 1]
    own = [path for path in found if path.endswith(".json")]
    others = [path for path in ("data/current", "data/.lock", "data/sync.json") if path in files]
    if not (found := own if own and random.random() < 0.7 else [*found, *others]):
        return ""
    taken = random.choice(found)
    machine.disks.write(f"{machine.place}/{taken}", None)
    if taken == "data/sync.json":  # it remembered the deleted games
        machine.gone.clear()
        machine.synced.clear()
    machine.lost.add(taken)
    return taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One event at a minute of the world, with its own random stream.

    Attributes:
        machines: the machine of each command. Two commands run at the same time.
        dies_at: the change on the disk at which each command is killed, or 0.
        halfway: whether half of a write is done then. loses_power: whether the machine loses power, too.
        takes_at: the change on the disk at which another program deletes a file of the first machine.
    """

    minute: int
    seed: int
    commands: tuple[Command, ...] = ()
    machines: tuple[int, ...] = ()
    dies_at: tuple[int, ...] = ()
    halfway: bool = False
    loses_power: bool = False
    takes_at: int = 0
    happening: Happening | None = None

    def __str__(self) -> str:
        if self.happening is not None:
            return str(self.happening)
        what = [
            f"{'abcde'[machine]}: {command}{f', killed at its change {dies}' if dies else ''}"
            for machine, command, dies in zip(self.machines, self.commands, self.dies_at, strict=True)
        ]
        end = ", and the power fails" if self.loses_power else ""
        if self.takes_at:
            end += f", and a file is taken away at change {self.takes_at}"
        return " | at the same time, ".join(what) + end


_CHANGES = ("undo", "redo", "amend", "rename", "label", "leave", "join", "undo", "amend")
_OF_TOURNAMENTS = ("new", "seat", "seat", "add", "drop", "move", "move", "undo")
_SYNC_PROGRAM = ("cut short", "delete", "copy", "copy", "exchange")


class Manner(NamedTuple):
    """The weights of commands and the chances of other events.

    Attributes:
        meddling: the chance to continue a game of another machine. deadly: the chance to be killed.
        gathers: whether all machines get the first games before anything else happens.
    """

    begin: int
    play: int
    change: int
    pay: int
    settle: int
    take_back: int
    names: int
    delete: int
    choose: int
    rules: int
    sync: int
    import_: int
    train: int
    tournament: int
    meddling: float
    deadly: float
    gathers: bool = False


_MIXED = Manner(6, 40, 14, 12, 4, 6, 6, 2, 8, 2, 30, 3, 6, 6, 0.2, 0.1)
MANNERS = (
    _MIXED,
    _MIXED._replace(deadly=0.3),
    _MIXED._replace(begin=2, choose=30, sync=45, meddling=1.0, delete=1, gathers=True),  # they quarrel
    _MIXED._replace(begin=0, choose=30, sync=60, meddling=1.0, delete=0, deadly=0.0, gathers=True),
    _MIXED._replace(pay=40, take_back=20, names=20, meddling=0.0),  # they pay
    _MIXED._replace(sync=8, meddling=0.1),  # they seldom meet
    _MIXED._replace(tournament=60, play=60, sync=40, meddling=0.7),  # they play a tournament
)


def draw(random: Random, count: int, steps: int) -> list[Step]:
    """Return the steps of a run for a way of life."""
    manner = random.choice(MANNERS)
    found: list[Step] = []
    minute = 0
    if manner.gathers:
        first: list[tuple[int, Command]] = [(0, New(2, "")), *((each, Sync()) for each in range(count))]
        found += [
            Step(
                minute=0, seed=random.getrandbits(32), commands=(command,), machines=(machine,), dies_at=(0,)
            )
            for machine, command in first
        ]
    for place in range(len(found), steps):
        minute += random.choice([0, 0, 1, 5])
        seed = random.getrandbits(32)
        if random.random() < 0.08:
            found.append(Step(minute=minute, seed=seed, happening=_happening(random, count)))
            continue
        many = 2 if random.random() < 0.12 else 1
        dies = tuple(random.randint(1, 24) if random.random() < manner.deadly else 0 for _ in range(many))
        commands = [_command(random, manner, is_together=many == 2) for _ in range(many)]
        if place < 2:
            commands[0] = New(2, "")
        found.append(
            Step(
                minute=minute,
                seed=seed,
                commands=tuple(commands),
                machines=tuple(random.randrange(count) for _ in range(many)),
                dies_at=dies,
                halfway=random.random() < 0.5,
                loses_power=many == 1 and any(dies) and random.random() < 0.5,
            )
        )
    return found


def with_losses(random: Random, count: int, steps: Sequence[Step]) -> list[Step]:
    """Return the steps with up to three files deleted by another program. Some are repaired."""
    found = list(steps)
    for _ in range(random.randint(1, 3)):
        place, machine = random.randrange(2, len(found) + 1), random.randrange(count)
        step = found[place] if place < len(found) else None
        is_alone = step is not None and len(step.commands) == 1 and not any(step.dies_at)
        if step is not None and is_alone and not isinstance(step.commands[0], Sync | Import | Mend):
            machine = step.machines[0]
            found[place] = replace(step, takes_at=random.randint(1, 12))
        else:
            loss = TakeAway(machine)
            found.insert(
                place, Step(minute=_minute(found, place), seed=random.getrandbits(32), happening=loss)
            )
        if random.random() < 0.6:
            later = random.randrange(place + 1, len(found) + 1)
            mended = Step(
                minute=_minute(found, later),
                seed=random.getrandbits(32),
                commands=(Mend(),),
                machines=(machine,),
                dies_at=(random.randint(1, 8) if random.random() < 0.3 else 0,),
            )
            found.insert(later, mended)
    return found


def _minute(steps: Sequence[Step], place: int) -> int:
    return steps[place - 1].minute


def _happening(random: Random, count: int) -> Happening:
    match random.randrange(7):
        case 0 | 1:
            return SetClock(random.randrange(count))
        case 2 | 3:
            return CopyData(*random.sample(range(count), 2))
        case _:
            return Disturb(random.choice(_SYNC_PROGRAM))


def _command(random: Random, manner: Manner, *, is_together: bool) -> Command:
    is_anyones = random.random() < manner.meddling
    if is_together and random.random() < 0.5:
        return Sync()
    match random.choices(range(14), manner[:14])[0]:
        case 0:
            return New(random.choice([2, 2, 2, 3]), random.choice(["", "", *HOUSES]))
        case 1:
            return Play(is_anyones)
        case 2:
            return Change(random.choice(_CHANGES), is_anyones)
        case 3:
            return Pay()
        case 4:
            return Settle()
        case 5:
            return TakeBack(random.choice([1, 1, 2]))
        case 6:
            return Names(random.random() < 0.7)
        case 7:
            return Delete()
        case 8:
            return Choose(random.random() < 0.5)
        case 9:
            return WriteRules(random.choice(HOUSES))
        case 10:
            return Sync(
                with_deleted=random.random() < 0.05, name=random.choice(["", "", "", "", "", "phone"])
            )
        case 11:
            return Import()
        case 12:
            return Train()
        case _:
            return Tournament(random.choice(_OF_TOURNAMENTS))
