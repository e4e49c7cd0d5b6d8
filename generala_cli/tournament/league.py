"""Rank players over all tournaments and evenings with the same name. Nothing is stored for it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from generala_cli.errors import FileError, UsageError
from generala_cli.game.people import People
from generala_cli.game.ranking import places_by
from generala_cli.game.standings import contenders_of, points_together
from generala_cli.messages import lazy
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import in_shell
from generala_cli.render.documents import (
    DamagedGame,
    DamagedTournament,
    damaged,
    rounded,
)
from generala_cli.rules.fingerprint import KnownRules, known
from generala_cli.store.game_lists import NamesPlayed, Period, evening_of, period
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.hooks import joined_names
from generala_cli.store.store import Store
from generala_cli.text import find, name_key, normalize
from generala_cli.tournament import storing
from generala_cli.tournament.agreeing import parse_points
from generala_cli.tournament.answers import (
    League,
    LeagueList,
    LeagueListed,
    LeagueNight,
    LeaguePlayer,
    NightPlace,
    PlayerHeadStart,
    RulesHeadStarts,
    WithHeadStart,
)
from generala_cli.tournament.rules.leagues import (
    LeagueGame,
    LeagueStanding,
    Night,
    evening_places,
    given_on,
    head_starts,
    league_standings,
    night_points,
)
from generala_cli.tournament.rules.standings import TableResult, standings, table_places
from generala_cli.tournament.rules.tournaments import By, check_points, games_of, may_be_label
from generala_cli.tournament.storing import StoredTournament, results


class _Game(Struct, frozen=True, kw_only=True):
    """A named game, usually without its events."""

    file: GameFile
    rules: KnownRules
    sides: Sequence[tuple[str, ...]]

    @property
    def is_over(self) -> bool:
        return self.file.result.next is None

    def result(self) -> TableResult:
        """Return the result by player: everyone on a side has its total and shares its win."""
        file = self.file
        sides, points = contenders_of(self.sides, file.result.totals), file.result.game_points or {}
        return TableResult(
            totals={
                player: sum(file.result.totals[each] for each in side.members)
                for side in sides
                for player in side.members
            },
            winners=tuple(player for side in sides if side.name in file.winners for player in side.members),
            points={
                player: points_together(side, points) for side in sides for player in side.members if points
            },
            is_over=self.is_over,
            has_result=self.file.has_result,
        )


class _Found(Struct, frozen=True, kw_only=True):
    """All tournaments and named games; `doubtful` games may belong to a damaged tournament."""

    tournaments: Sequence[StoredTournament]
    in_tournaments: Mapping[str, _Game]
    doubtful: Sequence[_Game]
    others: Sequence[_Game]
    people: People
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]

    @property
    def names(self) -> list[str]:
        called = [(stored.file.started, stored.terms.name) for stored in self.tournaments]
        called += [(game.file.started, game.file.label) for game in (*self.doubtful, *self.others)]
        return [name for _, name in sorted(called, reverse=True)]


class _NightFound(Struct, frozen=True, kw_only=True):
    name: str
    tournament: int | None
    games: tuple[int, ...]
    started: datetime
    night: Night


def _read(store: Store, progress: Progress) -> _Found:
    """Read all tournaments and games by their seals."""
    every_tournament = [*storing.each(store)]
    tournaments = [stored for _, stored in every_tournament if not isinstance(stored, FileError)]
    damaged_tournaments = tuple(
        DamagedTournament(tournament=number, error=error)
        for number, error in every_tournament
        if isinstance(error, FileError)
    )
    seated = {
        game for stored in tournaments for recorded in stored.file.events for game in games_of(recorded.event)
    }
    names = NamesPlayed()
    in_tournaments: dict[str, _Game] = {}
    doubtful: list[_Game] = []
    others: list[_Game] = []

    def add(game: RecordedGame) -> None:
        file = game.file
        names.add(file.result.totals, file.started)
        if not file.label:
            return
        rules = known(file.agreed.rules)
        sides = game.agreed.sides if file.agreed.sides else ()
        events = (
            () if any(file.result.totals.values()) else file.events
        )  # without totals, only events show a result
        bare = replace(file, events=events, agreed=replace(file.agreed, rules=rules.rules, label=file.label))
        found = _Game(file=bare, rules=rules, sides=sides)
        if file.id in seated:
            in_tournaments[file.id] = found
        elif damaged_tournaments and may_be_label(file.agreed.label):
            doubtful.append(found)
        else:
            others.append(found)

    store.warn_of_all()
    _, unreadable = store.read_all(add, progress)
    for stored in tournaments:
        names.add(stored.standing.players, stored.file.started)
    return _Found(
        tournaments=tournaments,
        in_tournaments=in_tournaments,
        doubtful=doubtful,
        others=others,
        people=names.people(joined_names(store)),
        damaged=damaged(unreadable),
        damaged_tournaments=damaged_tournaments,
    )


def _begins_with(name: str, league: str) -> bool:
    """Return whether a name belongs to a league: `Copa 3` belongs to `Copa`, `Copacabana` does not."""
    whole, start = normalize(name), normalize(league)
    return whole == start or (whole.startswith(start) and not whole[len(start)].isalnum())


def _of_league(found: _Found, league: str, within: Period) -> _Found:
    def is_of(name: str, started: datetime) -> bool:
        return _begins_with(name, league) and within.covers(started)

    return replace(
        found,
        tournaments=[each for each in found.tournaments if is_of(each.terms.name, each.file.started)],
        doubtful=[each for each in found.doubtful if is_of(each.file.label, each.file.started)],
        others=[each for each in found.others if is_of(each.file.label, each.file.started)],
    )


def _nights(found: _Found) -> list[_NightFound]:
    nights = [_tournament_night(found, stored) for stored in found.tournaments]
    evenings: dict[date, list[_Game]] = defaultdict(list)
    for game in found.others:
        if game.file.has_result:
            evenings[evening_of(game.file.started)].append(game)
    nights += [_evening(found.people, games) for games in evenings.values()]
    return sorted(
        (night for night in nights if night.games), key=lambda night: (night.started, night.tournament or 0)
    )


def _tournament_night(found: _Found, stored: StoredTournament) -> _NightFound:
    over = _results_over(found, stored)
    shared: dict[str, tuple[int]] = {}
    for each in standings(stored.standing, over):
        if each.games:
            shared.setdefault(found.people.shown(each.player), (-each.shared_place,))
    games = {game: found.in_tournaments[game] for game in over}
    return _NightFound(
        name=stored.terms.name,
        tournament=stored.number,
        games=tuple(game.file.game for game in games.values()),
        started=stored.file.started,
        night=Night(
            games=[
                _league_game(found.people, game.rules, over[number].totals, over[number])
                for number, game in games.items()
            ],
            places=places_by(shared),
        ),
    )


def _results_over(found: _Found, stored: StoredTournament) -> dict[str, TableResult]:
    files = {
        table.game: (0, found.in_tournaments[table.game].file)
        for table in stored.standing.tables
        if table.game in found.in_tournaments
    }
    return {
        game: result
        for game, result in results(stored.standing, files).items()
        if result.is_over and result.has_result
    }


def _evening(people: People, games: Sequence[_Game]) -> _NightFound:
    ordered = sorted(games, key=lambda game: (game.file.started, game.file.game))
    played = [_league_game(people, game.rules, game.file.result.totals, game.result()) for game in ordered]
    first = ordered[0].file
    return _NightFound(
        name=first.label,
        tournament=None,
        games=tuple(game.file.game for game in ordered),
        started=first.started,
        night=Night(games=played, places=evening_places(played)),
    )


def _league_game(
    people: People, rules: KnownRules, totals: Mapping[str, int], result: TableResult
) -> LeagueGame:
    """Return a game by person. Of two names of a person, the better one counts."""
    places = table_places(result)
    best: dict[str, str] = {}
    for player in sorted(totals, key=lambda player: (places[player], -totals[player])):
        best.setdefault(people.shown(player), player)
    return LeagueGame(
        rules=rules.fingerprint,
        totals={person: totals[player] for person, player in best.items()},
        together={person: result.totals[player] for person, player in best.items()},
        places={person: places[player] for person, player in best.items()},
    )


def list_leagues(store: Store, progress: Progress = no_progress) -> LeagueList:
    found = _read(store, progress)
    return LeagueList(
        leagues=tuple(_leagues(found)), damaged=found.damaged, damaged_tournaments=found.damaged_tournaments
    )


class _Seen(Struct, frozen=True, kw_only=True):
    """A finished game or tournament. A night is a tournament's number and an evening."""

    name: str
    night: tuple[int | None, date]
    started: datetime
    players: Sequence[str]


def _leagues(found: _Found) -> Iterator[LeagueListed]:
    by_name: dict[str, list[_Seen]] = defaultdict(list)
    spelled: dict[str, str] = {}
    for each in sorted(_seen(found), key=lambda seen: seen.started, reverse=True):
        for beginning in _beginnings(each.name):
            spelled.setdefault(normalize(beginning), beginning)
            by_name[normalize(beginning)].append(each)
    alike: dict[frozenset[object], list[str]] = defaultdict(list)
    for name, seen in by_name.items():
        alike[frozenset(each.night for each in seen)].append(name)
    for nights, names in alike.items():
        for name in names if len(nights) > 1 else ():
            if not any(_begins_with(other, name) for other in names if other != name):
                seen = by_name[name]
                yield LeagueListed(
                    name=spelled[name],
                    nights=len(nights),
                    players=len({found.people.shown(player) for each in seen for player in each.players}),
                    first=seen[-1].started,
                    last=seen[0].started,
                )


def _seen(found: _Found) -> Iterator[_Seen]:
    for stored in found.tournaments:
        if over := _results_over(found, stored):
            yield _Seen(
                name=stored.terms.name,
                night=(stored.number, evening_of(stored.file.started)),
                started=stored.file.started,
                players=[player for result in over.values() for player in result.totals],
            )
    for game in found.others:
        if game.file.has_result:
            yield _Seen(
                name=game.file.label,
                night=(None, evening_of(game.file.started)),
                started=game.file.started,
                players=[*game.file.result.totals],
            )


def _beginnings(name: str) -> Iterator[str]:
    for end, letter in enumerate(name, start=1):
        if end == len(name) or (letter.isalnum() and not name[end].isalnum()):
            yield name[:end]


def league_names(store: Store) -> Sequence[str]:
    return [each.name for each in list_leagues(store).leagues]


def league(
    store: Store,
    name: str,
    *,
    by: By = "points",
    points: str | None = None,
    best: int | None = None,
    with_head_starts: bool = False,
    since: str | None = None,
    until: str | None = None,
    progress: Progress = no_progress,
) -> League:
    """Return the standings over all tournaments and evenings whose name starts with this one."""
    given = None if points is None else parse_points(points)
    if given is not None:
        check_points(given)
        if by != "points":
            raise UsageError("--points works only with --by points", "use only one of them")
    if best is not None and best < 1:
        raise UsageError(lazy("--best cannot be {number}", number=best), "type 1 or more")
    within = period(store, since, until)
    everything = _read(store, progress)
    called = _find(everything, name)
    found = _of_league(everything, called, within)
    nights = _nights(found)
    played = [each.night for each in nights]
    ordered = league_standings(played, by=by, points=given, best=best)
    given_then = [*given_on(played)]
    seated = [table.game for stored in found.tournaments for table in stored.standing.counted]
    here = [found.in_tournaments[game] for game in seated if game in found.in_tournaments]
    return League(
        name=called,
        since=within.since,
        until=within.until,
        by=by,
        points=given,
        best=best,
        open=sum(not game.is_over for game in (*here, *found.others)),
        missing=len(seated) - len(here),
        nights=tuple(
            LeagueNight(
                night=at + 1,
                name=each.name,
                tournament=each.tournament,
                games=each.games,
                started=each.started,
                standings=tuple(
                    _night_places(
                        each.night,
                        night_points(each.night.places, given),
                        {player.player for player in ordered if at + 1 in player.counted},
                        given_then[at] if with_head_starts else None,
                    )
                ),
            )
            for at, each in enumerate(nights)
        ),
        standings=tuple(_players(ordered, given_then if with_head_starts else None)),
        head_starts=tuple(_head_starts(found, played)) if with_head_starts else UNSET,
        damaged=found.damaged,
        damaged_tournaments=found.damaged_tournaments,
        may_be_of_these=tuple(sorted(game.file.game for game in found.doubtful)),
    )


def _find(found: _Found, typed: str) -> str:
    beginnings = (each for name in found.names for each in _beginnings(name))
    called = next((each for each in beginnings if normalize(each) == normalize(typed)), None)
    if called is not None:
        return called
    names = [each.name for each in _leagues(found)]
    return find(typed, {name: (name,) for name in names}, "league", _LIST)


_LIST = in_shell(lazy("to list all leagues, run generala league"))


def _night_places(
    night: Night, points: Mapping[str, Fraction], counting: Collection[str], given: Mapping[str, int] | None
) -> Iterator[NightPlace]:
    totals = night.totals
    with_head_starts = {} if given is None else _with_head_starts(totals, given)
    for player in sorted(night.places, key=lambda player: (night.places[player], name_key(player))):
        yield NightPlace(
            place=night.places[player],
            player=player,
            points=points[player],
            total=totals[player],
            games=sum(player in game.totals for game in night.games),
            counts=player in counting,
            with_head_start=with_head_starts.get(player, UNSET),
        )


def _players(
    ordered: Sequence[LeagueStanding], given: Sequence[Mapping[str, int]] | None
) -> Iterator[LeaguePlayer]:
    with_head_starts: Mapping[str, WithHeadStart] = {}
    if given is not None:
        added = {
            each.player: sum(given[night - 1][each.player] for night in each.counted) for each in ordered
        }
        with_head_starts = _with_head_starts({each.player: each.total for each in ordered}, added)
    for each in ordered:
        yield LeaguePlayer(**asdict(each), with_head_start=with_head_starts.get(each.player, UNSET))


def _with_head_starts(totals: Mapping[str, int], given: Mapping[str, int]) -> Mapping[str, WithHeadStart]:
    together = {player: total + given[player] for player, total in totals.items()}
    places = places_by({player: (total,) for player, total in together.items()})
    return {
        player: WithHeadStart(head_start=given[player], total=total, place=places[player])
        for player, total in together.items()
    }


def _head_starts(found: _Found, nights: Sequence[Night]) -> Iterator[RulesHeadStarts]:
    rules = {game.rules.fingerprint: game.rules for game in (*found.in_tournaments.values(), *found.others)}
    games = [game for night in nights for game in night.games]
    everyone = dict.fromkeys(player for night in nights for player in night.places)
    for kind, _ in Counter(game.rules for game in games).most_common():
        results = [each for game in games if game.rules == kind for each in game.totals.items()]
        starts = head_starts(results, everyone)
        yield RulesHeadStarts(
            rules=rules[kind].rules.name,
            settings=dict(rules[kind].rules.settings),
            fingerprint=kind,
            mean=rounded(sum(total for _, total in results) / len(results)),
            players=tuple(
                PlayerHeadStart(
                    player=player,
                    games=start.games,
                    average=None if start.average is None else rounded(float(start.average)),
                    expected=rounded(float(start.expected)),
                    head_start=start.points,
                )
                for player, start in sorted(
                    starts.items(), key=lambda each: (each[1].points, name_key(each[0]))
                )
            ),
        )
