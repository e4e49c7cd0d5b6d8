"""A machine: a data folder on its own disk, a wrong clock, and a reader of its files.

The reader does not use the program, only the layout in the guide.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from generala_cli.app.defaults import read_sync
from generala_cli.store.folder import Folder
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from tests.world.disk import ROOT, Disks

SHARED = f"{ROOT}/shared"
BEGIN = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)

Event = str
"""An event of a game without its number, in JSON. A choice holds only the chosen version."""


class Version(NamedTuple):
    """A history of a game, and the bytes that it was read from."""

    data: bytes
    id: str
    events: tuple[Event, ...]
    head: str
    unit: str
    totals: tuple[tuple[str, int], ...]
    is_over: bool

    @property
    def turns(self) -> tuple[Event, ...]:
        """The events except choices."""
        return tuple(event for event in self.events if not is_choice(event))


def is_choice(event: Event) -> bool:
    return event.startswith('{"chosen"')


class Torn(Exception):
    """A file is incomplete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything in a machine's files.

    Attributes:
        games: by number. beside: their other versions. aside: rejected versions.
        payments: the events of the payments file in order, as JSON, by id.
        facts: training answers and tournament events, as JSON, by id.
        facts_bytes: their files, without the local numbers of tournaments.
        rules: the text of each house rule file.
        owners: the subject of each fact, such as payments, training or tournament-1.
        tournament_of: the tournament's id for each tournament event.
        missing: subjects with a backup or a mark but without a file.
        backups: the bytes of backups, by subject.
    """

    games: Mapping[int, Version] = field(default_factory=dict)
    beside: Mapping[int, Sequence[Version]] = field(default_factory=dict)
    aside: Sequence[Version] = ()
    payments: Mapping[str, str] = field(default_factory=dict)
    payments_bytes: bytes = b""
    facts: Mapping[str, str] = field(default_factory=dict)
    facts_bytes: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, bytes] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    tournament_of: Mapping[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    backups: Mapping[str, bytes] = field(default_factory=dict)

    def versions(self) -> Mapping[str, Sequence[Version]]:
        """Return all versions of each game, by id."""
        found: dict[str, list[Version]] = {}
        for version in (*self.games.values(), *(each for all_ in self.beside.values() for each in all_)):
            found.setdefault(version.id, []).append(version)
        return found

    def number_of(self, key: str) -> int | None:
        """The number of a game here."""
        return next((number for number, version in self.games.items() if version.id == key), None)

    def kept(self) -> Mapping[str, Counter[Event]]:
        """Return the events of each game, each as often as in the version that has it most often."""
        found: dict[str, Counter[Event]] = {}
        for version in (*(each for all_ in self.versions().values() for each in all_), *self.aside):
            found[version.id] = found.get(version.id, Counter()) | _counted(version)
        return found


@lru_cache(maxsize=5_000)
def _counted(version: Version) -> Counter[Event]:
    return Counter(version.events)


@dataclass(slots=True)
class Machine:
    """One machine of a group.

    Attributes:
        name: its name for others. skew: the error of its clock. minute: the time in the world.
        begun: ids of games started here. deleting, choosing: ids of games that a step here deletes, or
            chooses a version of. synced: ids of the games at its last sync.
        edited: rule files written here. gone: games that must not come back by themselves.
        spent: used game numbers. lost: files that another program deleted in a step.
    """

    disks: Disks
    name: str
    skew: timedelta = timedelta()
    minute: int = 0
    begun: set[str] = field(default_factory=set)
    deleting: set[str] = field(default_factory=set)
    choosing: set[str] = field(default_factory=set)
    synced: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    spent: set[int] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    @property
    def place(self) -> str:
        """Where its disk is."""
        return f"{ROOT}/{self.name}"

    @property
    def config(self) -> Path:
        return Path(self.place, "config", "config.toml")

    @property
    def house_rules(self) -> HouseRules:
        return HouseRules(directory=Path(self.place, "config", "rules"))

    def now(self) -> datetime:
        return BEGIN + timedelta(minutes=self.minute) + self.skew

    def numbers(self) -> set[int]:
        """The numbers that are taken."""
        return {int(name) for name in self.disks.folders(f"{self.place}/data/games") if name.isdecimal()}

    def store(self, game: int | None = None) -> Store:
        """Return the store of a command with that `--game`."""
        store = Store(
            folder=Folder(Path(self.place, "data"), hold=_hold_nothing),
            clock=self.now,
            named=None if game is None else str(game),
        )
        name = read_sync(self.config).name
        return store if name is None else replace(store, entered_by=name)

    def read(self) -> Reading:
        """Read the machine's files with a reader that knows only their layout."""
        return read(self.disks.files(self.place))


def _hold_nothing() -> None:
    """There are no signals here."""


def read(files: Mapping[str, bytes]) -> Reading:
    """Return everything in a machine's files, by path. Raise Torn if a required file is incomplete."""
    games: dict[int, Version] = {}
    beside: dict[int, list[Version]] = {}
    aside: list[Version] = []
    paid, payments_bytes = dict[str, str](), b""
    facts, facts_bytes = dict[str, str](), dict[str, str]()
    rules: dict[str, bytes] = {}
    owners: dict[str, str] = {}
    tournament_of: dict[str, str] = {}
    places = {path: subject for path in files if (subject := subject_of(path))}
    for path, data in files.items():
        match path.split("/"):
            case ["data", "games", number, *_] if number.startswith("."):
                pass  # a game that never started: its `new` was killed
            case ["data", "games", number, "game.json"]:
                games[int(number)] = _version(path, data)
            case ["data", "games", number, name] if name.endswith(".json"):
                beside.setdefault(int(number), []).append(_version(path, data))
            case ["data", "aside", owner, name] if owner.isdecimal() and not name.startswith("."):
                aside.append(_version(path, data))
            case ["data", "payments", "payments.json"]:
                payments_bytes, paid = data, dict(_facts(path, data))
                owners |= dict.fromkeys(paid, "payments")
            case ["data", "training", "training.json"]:
                facts_bytes["training"] = data.decode()
                facts |= _facts(path, data)
                owners |= dict.fromkeys(dict(_facts(path, data)), "training")
            case ["data", "tournaments", number, "tournament.json"] if not number.startswith("."):
                known, whole, events = _tournament(path, data)
                if known in facts_bytes:
                    raise Torn(f"{path} is there under another number too")
                facts_bytes[known] = whole
                facts |= events
                owners |= dict.fromkeys(dict(events), f"tournament-{number}")
                tournament_of |= dict.fromkeys(dict(events), known)
            case ["config", "rules", name] if not name.startswith("."):
                rules[name] = data
            case _:  # backups, marks and settings
                pass
    return Reading(
        games=games,
        beside=beside,
        aside=aside,
        payments=paid,
        payments_bytes=payments_bytes,
        facts=facts,
        facts_bytes=facts_bytes,
        rules=rules,
        owners=owners,
        tournament_of=tournament_of,
        missing=frozenset(places.values()) - {places[path] for path in places if path.endswith(".json")},
        backups={places[path]: data for path, data in files.items() if path.endswith(".bak")},
    )


def subject_of(path: str) -> str | None:
    """The subject of a file, its backup or its mark; None for all other files."""
    match path.removesuffix(".bak").split("/"):
        case ["data", "games", number, "game.json"] if number.isdecimal():
            return number
        case ["data", "tournaments", number, "tournament.json"] if number.isdecimal():
            return f"tournament-{number}"
        case ["data", "payments" | "training" as kind, name] if name == f"{kind}.json":
            return kind
        case ["data", "marks", name]:
            return name
        case _:
            return None


@lru_cache(maxsize=5_000)
def _version(path: str, data: bytes) -> Version:
    try:
        document = json.loads(data)
    except ValueError:
        raise Torn(f"{path} is not whole: {data[-60:]!r}") from None
    agreed, result = document["agreed"], document["result"]
    return Version(
        data=data,
        id=document["id"],
        events=tuple(_event(each) for each in document["events"] if each["event"]["kind"] != "reseated"),
        head=json.dumps([_started(document), agreed], sort_keys=True),
        unit=agreed["unit"],
        totals=tuple(result["totals"].items()),
        is_over=result["next"] is None,
    )


def _started(document: dict[str, Any]) -> str:
    """When a game began; a table that two machines seated began on both, at the earlier of two times."""
    return "" if ", round " in document["agreed"].get("label", "") else str(document["started"])


def _event(line: dict[str, object]) -> Event:
    event = line["event"]
    assert isinstance(event, dict)
    if event["kind"] == "chosen":
        return json.dumps({"chosen": [event["over"], event.get("seen")]}, sort_keys=True)
    return json.dumps([event["kind"], line["at"], line.get("by"), event], sort_keys=True)


@lru_cache(maxsize=5_000)
def _tournament(path: str, data: bytes) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Return the id of a tournament, all of its file but number and checksum, and its events by their ids."""
    try:
        document = json.loads(data)
    except ValueError:
        raise Torn(f"{path} is not whole: {data[-60:]!r}") from None
    events = {each["event"]["id"]: json.dumps(each["event"], sort_keys=True) for each in document["events"]}
    del document["tournament"], document["checksum"]
    return document["id"], json.dumps(document, sort_keys=True), tuple(events.items())


@lru_cache(maxsize=5_000)
def _facts(path: str, data: bytes) -> tuple[tuple[str, str], ...]:
    try:
        lines = json.loads(data)["events"]
    except ValueError:
        raise Torn(f"{path} is not whole: {data[-60:]!r}") from None
    found: dict[str, str] = {}
    for line in lines:
        event = line["event"]
        key = f"undone {event['payment']}" if event["kind"] == "undone" else event["id"]
        if key in found:
            raise Torn(f"{path} has {event} twice")
        found[key] = json.dumps(event, sort_keys=True)
    return tuple(found.items())
