"""The laws of every world of machines: sets and sums, independent of the implementation."""

import json
from collections import ChainMap, Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from generala_cli.doctor.diagnosis import diagnose
from generala_cli.store.game_lists import list_games
from generala_cli.store.gamefile import GameFile
from generala_cli.store.histories import knows_of
from tests.world.machine import Machine, Reading, Version, is_choice
from tests.world.steps import Report


class Broken(Exception):
    """A law does not hold."""

    def __init__(self, law: str, what: object) -> None:
        super().__init__(f"{law}: {what}")
        self.law = law


LOST = "nothing acknowledged is lost"
TWICE = "nothing is counted twice"
REPORTED = "the disk holds what commands report"
MADE_UP = "a sync brings only entered data"
SAME = "after two syncs each, all machines have the same"
QUIET = "after that a sync changes nothing"
SETTLED = "one choice settles a question everywhere"
SEEN = "a version is chosen only by someone who saw the rejected ones"
ORDER = "every order in which files arrive gives the same"
GONE = "deleted games stay deleted on that machine"
MONEY = "the ledger is the sum of the games and payments"
SAFE = "commands fail only by refusing"
BURNT = "every number belongs to a game or a deleted game"
NAMED = "a missing file is named, and its backup stays"
DONE = "an undisturbed sync succeeds"

History = tuple[str, tuple[str, ...]]
"""The agreement, and all events except choices."""


def history(version: Version) -> History:
    return version.head, version.turns


def is_beginning(one: History, other: History) -> bool:
    return one[0] == other[0] and one[1] == other[1][: len(one[1])]


def furthest(histories: Iterable[History]) -> frozenset[History]:
    """Return the histories that no other history continues."""
    found = set(histories)
    return frozenset(
        each for each in found if not any(each != other and is_beginning(each, other) for other in found)
    )


def live(versions: Iterable[Version]) -> frozenset[History]:
    """Return the histories that a player has to choose from.

    A history drops out if another one knows it: it continues it, or was chosen over it.
    """
    files = [(GameFile.decode(version.data), history(version)) for version in versions]
    return furthest(
        here
        for file, here in files
        if not any(knows_of(other, file) and not knows_of(file, other) for other, _ in files)
    )


class Memory:
    """Everything ever stored on the disk of any machine.

    Attributes:
        histories, events: by game id.
        payments: the events of payments and names, by id. after: the events known on that machine before.
        facts: training answers and tournament events, by id.
        chosen: games with a chosen version. deleted: games deleted anywhere.
        seen: by game id and choice, the events of all versions that the chooser had.
        excused: ids of all games, tournaments and facts in files that another program deleted. A machine
            that forgot such a tournament takes it over again only if asked, like one deleted by `delete`.
    """

    def __init__(self) -> None:
        self.histories: dict[str, set[History]] = {}
        self.events: dict[str, set[str]] = {}
        self.payments: dict[str, str] = {}
        self.after: dict[str, frozenset[str]] = {}
        self.facts: dict[str, str] = {}
        self.chosen: set[str] = set()
        self.deleted: set[str] = set()
        self.seen: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        self.excused: set[str] = set()

    def excuse(self, before: Reading, after: Reading) -> None:
        """Add the contents of the files that are missing now."""
        self.excused |= {
            version.id for number, version in before.games.items() if str(number) in after.missing
        }
        self.excused |= {key for key, owner in before.owners.items() if owner in after.missing}
        self.excused |= before.facts_bytes.keys() - after.facts_bytes.keys() - {"training"}

    def learn_choices(self, machine: Machine, before: Reading, after: Reading) -> None:
        """Add the versions seen by new choices on a machine. Call it before `learn`."""
        for version in after.games.values():
            if version.id in machine.choosing:
                for event in version.events:
                    if is_choice(event) and event not in self.events.get(version.id, ()):
                        versions = before.versions().get(version.id, ())
                        self.seen[version.id, event] = {each.events for each in versions}

    def had_seen(self, taken: Version, other: Version) -> bool:
        """Return whether a choice of one version had seen all of the other."""
        return any(
            event not in other.events and any(each[: len(other.events)] == other.events for each in seen)
            for event in taken.events
            for seen in (self.seen.get((taken.id, event), ()),)
        )

    def learn(self, before: Reading, after: Reading) -> None:
        """Add everything on a machine now."""
        for key, versions in after.versions().items():
            self.histories.setdefault(key, set()).update(map(history, versions))
        for key, events in after.kept().items():
            self.events.setdefault(key, set()).update(events)
        self.facts |= after.facts
        known = frozenset(before.payments)
        for key, event in after.payments.items():
            if key not in self.payments:
                self.payments[key], self.after[key] = event, known
            if key.startswith("undone"):  # the first one counts, and it need not know the rest
                self.after[key] = frozenset([key.removeprefix("undone ")])

    def check_origin(self, machine: Machine, after: Reading) -> None:
        """Check that a sync brought only data that existed on some machine."""
        for key, events in after.kept().items():
            if made_up := [event for event in events if event not in self.events.get(key, ())]:
                raise Broken(MADE_UP, f"{machine.name} has {made_up} in game {key}")
        for key, event in after.payments.items():
            if self.payments.get(key) != event:
                raise Broken(MADE_UP, f"{machine.name} has {event}")
        for key, event in after.facts.items():
            if self.facts.get(key) != event and not self._cancels_a_move(event):
                raise Broken(MADE_UP, f"{machine.name} has {event}")

    def _cancels_a_move(self, fact: str) -> bool:
        """Return whether a fact cancels a known move. A sync adds it if the table had entries."""
        event = json.loads(fact)
        return event["kind"] == "cancelled" and event["event"] in self.facts


def check_kept(machine: Machine, before: Reading, after: Reading) -> None:
    """Check that nothing is lost or doubled."""
    kept = after.kept()
    named = {version.id for number, version in before.games.items() if str(number) in after.missing}
    for key, events in before.kept().items():
        if key not in machine.deleting | named and (lost := events - kept.get(key, Counter())):
            raise Broken(LOST, f"{machine.name} has {[*lost]} of game {key} no longer")
    for key, event in before.payments.items():
        if after.payments.get(key) != event and "payments" not in after.missing:
            raise Broken(LOST, f"{machine.name} has {event} no longer")
    for key, event in before.facts.items():
        if after.facts.get(key) != event and before.owners[key] not in after.missing:
            raise Broken(LOST, f"{machine.name} has {event} no longer")
    for name, text in before.rules.items():
        if after.rules.get(name) != text and name not in machine.edited:
            raise Broken(LOST, f"{machine.name} has other rules {name}")
    times = Counter(version.id for version in after.games.values())
    if twice := [key for key, count in times.items() if count > 1]:
        raise Broken(TWICE, f"{machine.name} has game {twice} under several numbers")


def check_missing(
    machine: Machine, before: Reading, after: Reading, answers: Sequence[Report | None]
) -> None:
    """Check that nothing was written to a missing file, and that its backup is unchanged or restored."""
    for name in before.missing & after.missing:
        if name in before.backups and before.backups[name] != after.backups.get(name) and not machine.lost:
            raise Broken(NAMED, f"{machine.name} has another backup of {name}, which is missing")
    for report in answers:
        if report is not None and report.payments and {"payments"} <= before.missing & after.missing:
            raise Broken(NAMED, f"{machine.name} took missing payments for none: {report.words}")
        if report is not None and str(report.game) in before.missing & after.missing:
            raise Broken(NAMED, f"{machine.name} changed a missing game: {report.words}")


def check_named(machine: Machine, reading: Reading) -> None:
    """Check that lists and `doctor` name every missing file."""
    found = diagnose(machine.store())
    facts = {"payments": found.payments, "training": found.training}
    facts |= {f"tournament-{each.tournament}": each for each in found.tournaments}
    states = {str(each.game): each.state for each in found.games}
    states |= {name: each.state for name, each in facts.items() if each is not None}
    missing = {name for name, state in states.items() if state == "missing"}
    if missing != reading.missing or found.well:
        raise Broken(NAMED, f"{machine.name} lacks {[*reading.missing]}, and doctor names {missing}")
    listed = {str(number) for number, _ in list_games(machine.store()).damaged}
    if games := {name for name in reading.missing if name.isdecimal()} - listed:
        raise Broken(NAMED, f"{machine.name} lacks games {games}, and the list names {listed}")


def check_report(
    machine: Machine, before: Reading, after: Reading, report: Report | None, *, alone: bool
) -> None:
    """Check that a command did what it reported and, if it ran alone, nothing else.

    Args:
        report: None if the command refused.
    """
    new = Counter[tuple[str, str]]()
    for key, events in after.kept().items():
        new += _kinds(key, events - before.kept().get(key, Counter()))
    paid = [key for key in after.payments if key not in before.payments]
    facts = after.facts.keys() - before.facts.keys()
    if report is None:
        if new or paid or facts or before.games.keys() != after.games.keys():
            raise Broken(REPORTED, f"{machine.name} refused, and {new or paid or [*after.games]} is new")
        return
    wanted = Counter[tuple[str, str]]()
    game = None if report.game is None else {**before.games, **after.games}.get(report.game)
    if game is not None and game.id not in machine.deleting:  # at the same time, that is
        key = game.id
        wanted = Counter({(key, kind): count for kind, count in report.kinds.items()})
        was = None if report.game is None else before.games.get(report.game)
        if was is not None:  # in whose file it may be new, though the like was set aside in the same minute
            new |= _kinds(key, Counter(game.events) - Counter(was.events)) & wanted
    there = {version.id for version in after.games.values()} | machine.deleting
    if report.begun and report.begun not in there:
        raise Broken(REPORTED, f"{machine.name} has not begun {report.begun}")
    if report.deleted and any(version.id == report.deleted for version in after.games.values()) and alone:
        raise Broken(REPORTED, f"{machine.name} has deleted {report.deleted} and has it")
    if {*report.facts} - facts or (alone and not report.is_exchange and facts - {*report.facts}):
        raise Broken(REPORTED, f"{machine.name} was told {report.words}, and {facts} are new")
    if wanted - new or {*report.payments} - {*paid}:
        raise Broken(REPORTED, f"{machine.name} was told {report.words}, and only {new or paid} is new")
    if (
        alone
        and not report.is_exchange
        and not report.chosen
        and (new - wanted or {*paid} - {*report.payments})
    ):
        raise Broken(REPORTED, f"{machine.name} was told {report.words}, and {new or paid} is new")


def _kinds(game: str, events: Counter[str]) -> Counter[tuple[str, str]]:
    found = Counter[tuple[str, str]]()
    for event, count in events.items():
        found[game, "chosen" if is_choice(event) else json.loads(event)[0]] += count
    return found


def check_numbers(machine: Machine, after: Reading) -> None:
    """Check that every used number belonged to a game."""
    machine.spent |= {*after.games}
    if burnt := machine.numbers() - machine.spent:
        raise Broken(BURNT, f"{machine.name} has no games {burnt}, and their numbers are taken")


def check_deleted(machine: Machine, after: Reading) -> None:
    """Check that games deleted after a sync do not come back."""
    there = {version.id for version in after.games.values()}
    if back := there & machine.gone:
        raise Broken(GONE, f"{machine.name} has {back} again")


def check_same(machines: Sequence[Machine], readings: Sequence[Reading], memory: Memory) -> None:
    """Check that all machines have the same, and everything that ever existed except deleted games."""
    first = readings[0]
    belongs = ChainMap(*(dict(reading.tournament_of) for reading in readings))
    for machine, reading in zip(machines, readings, strict=True):
        if reading.payments_bytes != first.payments_bytes:
            raise Broken(
                SAME, f"payments of {machines[0].name} and {machine.name}: {_differ(first, reading)}"
            )
        own, firsts = reading.facts_bytes, first.facts_bytes
        if any(own.get(key) != firsts.get(key) for key in (own.keys() | firsts.keys()) - memory.excused):
            raise Broken(SAME, f"training or tournaments of {machines[0].name} and {machine.name}")
        if any(own[key] != firsts[key] for key in own.keys() & firsts.keys()):
            raise Broken(SAME, f"a tournament of {machines[0].name} and {machine.name}")
        forgotten = memory.excused - own.keys()
        there = {fact for fact in memory.facts if belongs.get(fact) not in forgotten}
        if missing := there - reading.facts.keys() - memory.excused:
            raise Broken(LOST, f"{machine.name} lacks {missing}")
        if missing := memory.payments.keys() - reading.payments.keys() - memory.excused:
            raise Broken(LOST, f"{machine.name} lacks {missing}")
        if reading.rules.keys() != first.rules.keys():
            raise Broken(SAME, f"rules of {machine.name}: {[*reading.rules]}, not {[*first.rules]}")
        _check_order(machine, reading, memory)
    for key in memory.histories:
        having = [
            (machine, live(reading.versions().get(key, ())))
            for machine, reading in zip(machines, readings, strict=True)
            if key not in machine.deleting
        ]
        for machine, found in having:
            if not found:
                if key not in memory.deleted | memory.excused:
                    raise Broken(SAME, f"{machine.name} lacks game {key}")
                continue
            others = next(each for _, each in having if each)
            if found != others:
                raise Broken(SAME, f"{machine.name} has game {key} as {_short(found)}, not {_short(others)}")
            if key not in memory.chosen | memory.deleted | memory.excused and found != furthest(
                memory.histories[key]
            ):
                raise Broken(
                    LOST,
                    f"{machine.name} has of game {key} {_short(found)}, not {_short(memory.histories[key])}",
                )


def check_order(readings: Sequence[Reading]) -> None:
    """Check that machines with the same files have the same data. The numbers of games may differ."""
    for one, other in pairwise(readings):
        if one.payments_bytes != other.payments_bytes:
            raise Broken(ORDER, f"payments: {_differ(one, other)}")
        if one.facts_bytes != other.facts_bytes:
            raise Broken(ORDER, f"training or tournaments: {[*one.facts]} and {[*other.facts]}")
        for key in one.versions().keys() | other.versions().keys():
            found = [live(reading.versions().get(key, ())) for reading in (one, other)]
            if found[0] != found[1]:
                raise Broken(ORDER, f"game {key}: {_short(found[0])}; or else {_short(found[1])}")


def check_answered(
    machines: Sequence[Machine], readings: Sequence[Reading], seen: Mapping[str, set[History]]
) -> None:
    """Check that no question remains if a player who had seen every version chose one."""
    for machine, reading in zip(machines, readings, strict=True):
        for number in reading.beside.keys() & reading.games.keys():
            key = reading.games[number].id
            found = live(reading.versions()[key])
            if all(any(is_beginning(one, each) for each in seen.get(key, ())) for one in found):
                raise Broken(SETTLED, f"{machine.name} is asked again about game {key}: {_short(found)}")


def check_followed(machines: Sequence[Machine], readings: Sequence[Reading], memory: Memory) -> None:
    """Check that no machine asks about versions if the choice of one had seen all the others."""
    for machine, reading in zip(machines, readings, strict=True):
        for number in reading.beside.keys() & reading.games.keys():
            versions = (reading.games[number], *reading.beside[number])
            for taken in versions:
                if all(taken == other or memory.had_seen(taken, other) for other in versions):
                    raise Broken(SETTLED, f"{machine.name} is asked about game {number}, and all was seen")


def check_set_aside(machines: Sequence[Machine], readings: Sequence[Reading], memory: Memory) -> None:
    """Check that the game's own file covers every version set aside, except for deleted games."""
    for machine, reading in zip(machines, readings, strict=True):
        own = {version.id: GameFile.decode(version.data) for version in reading.games.values()}
        for version in reading.aside:
            file = own.get(version.id) if version.id not in memory.deleted | memory.excused else None
            if file is not None and not knows_of(file, GameFile.decode(version.data)):
                raise Broken(SEEN, f"{machine.name} has {version.events} aside, not in {file.events}")


def check_settled(machines: Sequence[Machine], readings: Sequence[Reading]) -> None:
    """Check that no machine has a question, and that all have the same events, byte for byte."""
    for machine, reading in zip(machines, readings, strict=True):
        if asked := reading.beside.keys() & reading.games.keys():
            raise Broken(SETTLED, f"{machine.name} has a question about {asked}")
    events: dict[str, tuple[str, ...]] = {}
    for machine, reading in zip(machines, readings, strict=True):
        for version in reading.games.values():
            if events.setdefault(version.id, version.events) != version.events:
                raise Broken(SETTLED, f"{machine.name} has {version.events}, not {events[version.id]}")


def check_money(machine: Machine, reading: Reading, ledger: Mapping[tuple[str, str], Decimal]) -> None:
    """Check that a ledger equals the sum of games and payments for each person."""
    wanted = nets(reading)
    if {key: each for key, each in ledger.items() if each} != wanted:
        raise Broken(MONEY, f"{machine.name} is shown {dict(ledger)}, and it is {wanted}")


def nets(reading: Reading) -> dict[tuple[str, str], Decimal]:
    """Return the amount due to each person, by unit and name, without zeros."""
    events = [json.loads(event) for event in reading.payments.values()]
    undone = {event["payment"] for event in events if event["kind"] == "undone"}
    groups: list[list[str]] = []
    found = Counter[tuple[str, str]]()
    for event in events:
        if event["kind"] == "paid" and event["id"] not in undone:
            found[event["unit"], event["payer"]] += int(event["amount"].split(".")[0])
            found[event["unit"], event["payee"]] -= int(event["amount"].split(".")[0])
        if event["kind"] == "joined":
            names = [
                *event["names"],
                *(name for group in groups if {*group} & {*event["names"]} for name in group),
            ]
            groups = [group for group in groups if not {*group} & {*event["names"]}] + [
                [*dict.fromkeys(names)]
            ]
        if event["kind"] == "parted":
            left = ([name for name in group if name != event["name"]] for group in groups)
            groups = [group for group in left if len(group) > 1]
    for version in reading.games.values():
        if version.is_over:
            for (one, mine), (_, theirs) in permutations(version.totals, 2):
                found[version.unit, one] += mine - theirs
    person = {name: group[0] for group in groups for name in group}
    summed = Counter[tuple[str, str]]()
    for (unit, name), amount in found.items():
        summed[unit, person.get(name, name)] += amount
    return {key: Decimal(amount) for key, amount in summed.items() if amount}


def _check_order(machine: Machine, reading: Reading, memory: Memory) -> None:
    """Check that each event comes after everything that its machine knew."""
    seen: set[str] = set()
    for key in reading.payments:
        if late := memory.after[key] - seen - memory.excused:
            raise Broken(SAME, f"on {machine.name} {key} stands before {late}, which was known")
        seen.add(key)


def _differ(one: Reading, other: Reading) -> str:
    return f"{[*one.payments]} and {[*other.payments]}"


def _short(histories: Iterable[History]) -> str:
    """Describe histories: the kind, time and machine of each event."""
    found = []
    for _, turns in histories:
        events = [json.loads(event) for event in turns]
        found.append(", ".join(f"{kind} {at[:16]} on {by}" for kind, at, by, _ in events) or "nothing")
    return "; ".join(sorted(found))
