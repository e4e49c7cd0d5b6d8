from datetime import datetime
from pathlib import Path

import pytest
from msgspec import structs

from generala_cli.errors import Ambiguous, DamagedFile, NotAllowed, NotFound, UsageError
from generala_cli.games import keeping, starting
from generala_cli.render.language import speaking
from generala_cli.store import game_lists
from generala_cli.store.game_lists import Period
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, hand, score
from tests.cases import cases
from tests.game.table import cached_rules, house
from tests.store.files import AT, listing

OPENINGS = ("Ana=55533", "Beto=22334", "Cora=12455", "Dani=11366")


def damage(store: Store, number: int, data: bytes = b"junk") -> None:
    store.folder.path(f"games/{number}/game.json").write_bytes(data)


# New


def test_a_new_game_is_saved_and_current(store: Store) -> None:
    begun = begin(
        store, "yacht", "Ana", "Beto", "Cora", label="friday", stake="0.05", unit="USD", payout="pot"
    )
    assert begun.number == store.current() == 1
    started = store.load(store.current()).game.agreed
    assert started.players == ("Ana", "Beto", "Cora")
    assert (started.label, started.stake, started.unit, started.payout) == ("friday", "0.05", "USD", "pot")


def test_a_game_from_paper_is_listed_under_its_day_and_leaves_the_current_game_alone(store: Store) -> None:
    now = at_clock(store, "2026-11-20T21:04")
    tonight = begin(now)
    typed = starting.new(now, cached_rules("general"), ("Cora", "Dani"), played="2026-11-01")
    assert typed.stored.file.started.astimezone() == datetime.fromisoformat("2026-11-01T12:00").astimezone()
    assert (typed.stored.number, typed.is_current, store.current()) == (2, False, tonight.number)
    while store.load(1).game.to_move is not None:
        turns.enter(structs.replace(now, named="1"), hand("66666", roll="1"))
    today = starting.new(now, cached_rules("general"), ("Cora", "Dani"), played="2026-11-20")
    assert (today.is_current, store.current()) == (True, 3), "a game that is over is not kept"
    assert numbers(game_lists.chosen(game_lists.list_games(store), within=Period(until=AT))) == [2, 3]
    before_noon = at_clock(store, "2026-11-21T09:00")
    early = starting.new(before_noon, cached_rules("general"), ("Cora", "Dani"), played="2026-11-21")
    assert early.stored.file.started == before_noon.now()
    for day, kind, why in (
        ("2026-11-21", NotAllowed, "is in the future"),
        ("2", UsageError, "'2' is not a day"),
        ("friday", UsageError, "'friday' is not a day"),
    ):
        with pytest.raises(kind, match=why):
            starting.new(now, cached_rules("general"), ("Cora", "Dani"), played=day)


def test_settings_are_worked_in_and_kept(store: Store) -> None:
    started = begin(store, "generala", settings=("throws=2", "generala = 70")).game.agreed
    assert started.rules.throws == 2
    assert started.rules.category("generala").points == 70
    assert started.rules.settings == (("throws", "2"), ("generala", "70"))


def test_the_lowest_opening_throw_plays_first(store: Store) -> None:
    game = begin(store, "general", "Ana", "Beto", "Cora", "Dani", openings=OPENINGS).game
    assert game.seats == ("Beto", "Cora", "Dani", "Ana")


def test_a_tie_is_broken_by_the_throws_after_it(store: Store) -> None:
    once = begin(store, openings=("Ana=22334,55533", "Beto=22334,12345")).game
    spread = begin(store, openings=("Ana=22334", "Beto=2/2-3,3;4", "Ana=55533", "Beto=12345")).game
    assert once.seats == spread.seats == ("Beto", "Ana")


def test_sides_play_together(store: Store) -> None:
    game = begin(store, "general", "Ana", "Beto", "Cora", "Dani", teams=("Ana+Cora", "Beto+D")).game
    assert game.agreed.sides == (("Ana", "Cora"), ("Beto", "Dani"))


def test_partners_follow_from_the_opening_throws(store: Store) -> None:
    game = begin(store, "general", "Ana", "Beto", "Cora", "Dani", openings=OPENINGS, partners=True).game
    assert game.agreed.sides == (("Beto", "Cora"), ("Dani", "Ana"))


@cases(
    ("message", "error"),
    [
        ({"settings": ("throws",)}, UsageError),
        ({"settings": ("=3",)}, UsageError),
        ({"settings": ("colour=red",)}, NotFound),
        ({"stake": "1,500"}, UsageError),
        ({"payout": "all"}, UsageError),
        ({"label": "12"}, UsageError),
        ({"openings": ("Ana=55533",)}, NotAllowed),
        ({"openings": ("Ana=5553", "Beto=22334")}, UsageError),
        ({"openings": ("Ana=555,333,222,111,444", "Beto=22334")}, UsageError),
        ({"openings": ("Ana=55533,1234", "Beto=22334")}, UsageError),
        ({"openings": ("Zoe=55533",)}, NotFound),
        ({"teams": ("Ana+Beto",)}, NotAllowed),
        ({"partners": True}, NotAllowed),
    ],
)
def test_what_makes_no_sense_starts_nothing(
    store: Store, directory: Path, message: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        begin(store, "general", "Ana", "Beto", **message)
    assert not directory.exists()


def test_a_dry_run_of_new_writes_nothing(store: Store, directory: Path) -> None:
    begun = begin(store, "general", dry_run=True)
    assert begun.number == 1
    assert not directory.exists()


# Rematch


def test_a_rematch_is_the_same_agreement_with_an_empty_sheet(store: Store) -> None:
    begin(store, "generala", "Ana", "Beto", settings=("throws=2",), stake="2", unit="drink", label="friday")
    score(store, "55533")
    begun = starting.rematch(store, None, label="again").stored
    assert (begun.number, begun.game.entries) == (2, ())
    last, new = (store.load(number).game.agreed for number in (1, 2))
    assert new.rules == last.rules
    assert (new.players, new.stake, new.unit, new.label) == (last.players, "2", "drink", "again")
    assert store.current() == 2


def test_a_rematch_may_be_played_by_other_options(store: Store) -> None:
    starting.new(store, house("kniffel"), ["Ana", "Beto"], settings=["fill-order=top-to-bottom", "throws=4"])
    rules = starting.rematch(store, None, settings=["fill-order=any"]).stored.game.rules
    assert (rules.fill_order, rules.throws) == ("any", 4)
    assert rules.settings == (("throws", "4"), ("fill-order", "any"))


def test_a_rematch_keeps_the_seats_that_the_opening_throws_made(store: Store) -> None:
    begin(store, openings=("Ana=55533", "Beto=22334"))
    assert starting.rematch(store, None).stored.game.seats == ("Beto", "Ana")
    again = starting.rematch(store, None, openings=("Ana=22334", "Beto=55533"))
    assert again.stored.game.seats == ("Ana", "Beto")


def test_a_rematch_of_another_game_than_the_current(store: Store) -> None:
    begin(store, "yacht")
    begin(store, "crag")
    assert starting.rematch(store, "1", dry_run=True).stored.game.rules.name == "yacht"
    assert store.numbers() == [1, 2]


# Unfinished games


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_new_game_says_which_one_is_left_unfinished(store: Store, dry_run: bool) -> None:
    begin(store)
    left = [
        starting.rematch(store, None, dry_run=dry_run).unfinished,
        starting.rematch(store, "1").unfinished,
    ]
    assert left == [1, 1 if dry_run else 2]


def test_a_game_that_is_over_gone_or_damaged_is_not_left_unfinished(store: Store) -> None:
    begin(store)
    score(store, "66666", roll="1")
    assert starting.rematch(store, "1").unfinished is None
    damage(store, 2)
    assert starting.rematch(store, "1").unfinished is None
    store.delete(3)
    assert starting.rematch(store, "1").unfinished is None


def test_the_latest_game_that_is_not_over_may_be_gone_on_with(store: Store) -> None:
    for _ in range(5):
        begin(store)
    keeping.use(store, "4")
    score(store, "66666", roll="1")
    damage(store, 3)
    keeping.use(store, "5")
    assert keeping.unfinished_without(store, 5) == 2
    assert keeping.unfinished_without(store, 4) is None  # it is not current, so there is nothing to replace
    store.delete(5, then=2)
    assert store.current() == 2


# Use and delete


def test_use_takes_a_label_and_changes_only_what_is_current(store: Store, directory: Path) -> None:
    begin(store, label="friday")
    begin(store)
    before = listing(directory)
    assert keeping.use(store, "fri").number == 1
    after = listing(directory)
    assert {name for name in after if after[name] != before.get(name)} == {"current"}


def test_a_dry_run_of_use_writes_nothing(store: Store, directory: Path) -> None:
    begin(store)
    begin(store)
    before = listing(directory)
    assert keeping.use(store, "1", dry_run=True).number == 1
    assert listing(directory) == before


def test_a_damaged_game_is_not_made_current(store: Store) -> None:
    begin(store)
    begin(store)
    damage(store, 1)
    with pytest.raises(DamagedFile):
        keeping.use(store, "1")
    assert store.current() == 2


def test_delete_removes_one_game_and_asks_for_it_by_any_name(store: Store) -> None:
    begin(store, label="friday")
    begin(store, label="saturday")
    store.delete(store.find("fri"))
    assert store.numbers() == [2]
    assert store.current() == 2


def test_a_damaged_game_can_be_deleted(store: Store) -> None:
    begin(store)
    damage(store, 1)
    store.delete(store.find("1"))
    assert store.numbers() == []


def test_what_is_ambiguous_is_not_deleted(store: Store) -> None:
    begin(store, label="friday one")
    begin(store, label="friday two")
    with pytest.raises(Ambiguous):
        store.find("friday")


# The list


def test_no_games_are_an_empty_list(store: Store, directory: Path) -> None:
    listed = game_lists.list_games(store)
    assert (listed.games, listed.damaged) == ((), ())
    assert not directory.exists()


def test_the_list_has_every_game_oldest_first(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    score(store, "44444", roll="1")
    begin(store, "yacht")
    listed = game_lists.list_games(store)
    assert [game.game for game in listed.games if game.current] == [2]
    found = [(game.game, game.started, game.totals, game.winners, game.next) for game in listed.games]
    assert found == [
        (1, AT, {"Ana": 60, "Beto": 0}, ("Ana",), None),
        (2, AT, {"Ana": 0, "Beto": 0}, (), "Ana"),
    ]


def test_winners_are_winners_only_while_the_game_is_over(store: Store) -> None:
    begin(store)
    score(store, "44444", roll="1")
    turns.undo(store)
    assert game_lists.list_games(store).games[0].winners == ()


def test_damaged_games_are_listed_beside_the_others(store: Store, directory: Path) -> None:
    for _ in range(4):
        begin(store)
    damage(store, 1)
    damage(store, 2, b'{"format":4}')
    store.folder.path("games/3/game.json").unlink()
    store.folder.path("games/3/game.json").mkdir()
    before = listing(directory)
    listed = game_lists.list_games(store)
    assert [game.game for game in listed.games] == [4]
    assert [(number, error.kind) for number, error in listed.damaged] == [
        (1, "damaged"),
        (2, "too-new"),
        (3, "file"),
    ]
    assert listing(directory) == before


def test_the_list_is_there_when_the_current_file_is_wrong(store: Store) -> None:
    """The error about a missing current game refers to it."""
    begin(store)
    store.folder.path("current").write_bytes(b"???")
    assert [game.game for game in game_lists.list_games(store).games] == [1]


def test_entries_go_to_the_game_in_use(store: Store) -> None:
    begin(store)
    begin(store)
    keeping.use(store, "1")
    assert turns.enter(store, hand("x general")).number == 1


# Some of them


def at_clock(store: Store, at: str) -> Store:
    return structs.replace(store, clock=lambda: datetime.fromisoformat(at).astimezone())


def numbers(found: game_lists.ListedGames) -> list[int]:
    return [game.game for game in found.games]


def test_the_games_of_some_players_are_found_by_any_spelling_of_their_names(store: Store) -> None:
    for names in (("Ana", "Beto"), ("ANA", "Cora"), ("Cora", "Beto")):
        begin(store, "general", *names)
    found = game_lists.list_games(store)
    assert numbers(game_lists.chosen(found, played=["ana"])) == [1, 2]
    assert numbers(game_lists.chosen(found, played=["b", "c"])) == [3]
    assert game_lists.chosen(found, played=["a"]).all is False
    with pytest.raises(NotFound, match="there is no player 'Zoe'; choose from"):
        game_lists.chosen(found, played=["Zoe"])


@pytest.mark.parametrize(
    ("when", "begins"),
    [
        ("tonight", "2026-11-20T12:00"),
        ("Tonight", "2026-11-20T12:00"),
        ("esta noche", "2026-11-20T12:00"),
        ("heute Abend", "2026-11-20T12:00"),
        ("today", "2026-11-21T00:00"),
        ("Hoy", "2026-11-21T00:00"),
        ("heute", "2026-11-21T00:00"),
        ("yesterday", "2026-11-20T00:00"),
        ("ayer", "2026-11-20T00:00"),
        ("GESTERN", "2026-11-20T00:00"),
        ("2026-11-19", "2026-11-19T00:00"),
        ("1", "2026-11-18T21:00"),
        ("fri", "2026-11-20T11:59"),
    ],
)
def test_since_means_the_clock_on_the_wall(store: Store, when: str, begins: str) -> None:
    for label, at in (("first", "2026-11-18T21:00"), ("friday", "2026-11-20T11:59")):
        begin(
            structs.replace(store, clock=lambda at=at: datetime.fromisoformat(at).astimezone()), label=label
        )
    evening = structs.replace(store, clock=lambda: datetime.fromisoformat("2026-11-21T11:59").astimezone())
    found = game_lists.moment(evening, when)
    assert found == datetime.fromisoformat(begins).astimezone()
    later = [number for number, at in ((1, "2026-11-18T21:00"), (2, "2026-11-20T11:59")) if at >= begins]
    assert numbers(game_lists.chosen(game_lists.list_games(store), within=Period(since=found))) == later


@pytest.mark.parametrize(
    ("language", "when", "year"),
    [
        ("es", "9/11/2026", 2026),
        ("es", "09/11/2025", 2025),
        ("de", "09.11.2026", 2026),
        ("de", "9.11.2026", 2026),
    ],
)
def test_a_day_is_read_as_the_language_that_is_spoken_writes_it(
    store: Store, language: str, when: str, year: int
) -> None:
    with speaking(language):
        assert game_lists.moment(store, when) == datetime(year, 11, 9).astimezone()
        with pytest.raises(NotFound, match="is neither a time nor a game"):
            game_lists.moment(store, when.replace("9", "31", 1))
    with pytest.raises(NotFound, match="is neither a time nor a game"):
        game_lists.moment(store, when)


@pytest.mark.parametrize("when", ["2026-13-01", "someday", "7", "-1", ""])
def test_what_is_no_time_and_no_game_is_refused_with_what_is(store: Store, when: str) -> None:
    begin(store)
    with pytest.raises(NotFound, match="type tonight, a day such as 2026-11-20, or a game"):
        game_lists.moment(store, when)


@pytest.mark.parametrize("when", ["0001-01-01", "1970-12-31", "3000-01-01", "9999-12-31"])
def test_a_day_that_not_every_clock_can_tell_is_refused_as_such(store: Store, when: str) -> None:
    with pytest.raises(UsageError, match=f"{when} is outside the supported dates"):
        game_lists.moment(store, when)


def test_a_period_has_its_first_moment_and_not_the_one_after_its_last(store: Store) -> None:
    day = game_lists.period(at_clock(store, "2026-11-20T12:00"), "2026-11-20", "2026-11-20")
    assert day.since is not None
    assert day.until is not None
    assert (day.covers(day.since), day.covers(day.until)) == (True, False)


def test_an_evening_begins_at_noon(store: Store) -> None:
    begun = game_lists.moment(at_clock(store, "2026-11-20T12:00"), "tonight")
    assert begun == datetime.fromisoformat("2026-11-20T12:00").astimezone()


def test_who_played_last_is_known_first(store: Store) -> None:
    for names in (("Ana", "Beto"), ("Cora", "Ana")):
        begin(store, "general", *names)
    assert game_lists.known_players(store) == ("Cora", "Ana", "Beto")
