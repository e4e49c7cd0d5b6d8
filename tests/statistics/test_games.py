"""Reading and counting the games in a store."""

from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.advice.answers import Review
from generala_cli.advice.judging import luck_and_mistakes
from generala_cli.advice.looking_back import review
from generala_cli.errors import Ambiguous, NotFound, UsageError
from generala_cli.ledger.people import join_names
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.statistics.answers import Stats, StatsRules
from generala_cli.statistics.games import ExaminedGames, GameFilter, examine_games
from generala_cli.statistics.players import stats
from generala_cli.statistics.versus import versus
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from tests.game.strategies import Played
from tests.game.table import Table, cached_rules, house
from tests.store.files import AT, file_of, store_in, tiny_rules
from tests.store.test_gamefile import finished


def leave(store: Store, played: Table | Played, number: int = 1, days: int = 0) -> None:
    """Store a game that started that many days after the first."""
    file = file_of(played.agreed, played.events, game=number)
    path = store.folder.path(f"games/{number}/game.json")
    path.parent.mkdir(parents=True)
    path.write_bytes(encode(replace(file, started=AT + timedelta(days))))


def looked_at(store: Store, **wanted: object) -> ExaminedGames:
    return examine_games(store, GameFilter(**wanted))  # type: ignore[arg-type]


def reviewed(store: Store, number: int) -> Review:
    return review(store.open(str(number)).game, number)


def under_rules(told: Stats, player: str) -> StatsRules:
    """The figures of someone who played one kind of game."""
    (found,) = (each for each in told.players if each.player == player)
    (under,) = found.rules
    return under


def won_at_once(*players: str, setting: str = "bonus=5") -> Table:
    """A game of general that the first player wins with the first throw, or after an undone one."""
    table = Table(house("general", setting), *players)
    table.score(players[0], "66666", roll=1)
    return table


def test_games_not_over_entries_taken_back_and_damaged_files_are_counted_aloud(
    store: Store, directory: Path
) -> None:
    table = won_at_once("Ana", "Beto")
    table.undo()
    table.score("Ana", "66665", "sixes")
    table.score("Beto", "66666", roll=1)
    leave(store, table)
    leave(store, Table(tiny_rules(), "Ana", "Beto"), 2)
    leave(store, finished(), 3)
    store.folder.path("games/3/game.json").write_bytes(b"junk")
    left = looked_at(store).left_out
    assert (left.unfinished, left.undone, [each.game for each in left.damaged]) == (1, 1, [3])
    beto, ana = stats(looked_at(store)).players
    assert (ana.rules[0].mean, ana.wins, beto.wins) == (24, 0, 1)


def test_a_player_who_was_renamed_goes_by_the_name_of_the_end(store: Store) -> None:
    table = Table(cached_rules("general"), "Ana", "Beto", "Cora", "Dani", teams=("Ana+Cora", "Beto+Dani"))
    table.score("Ana", "66665", "sixes")
    table.rename("Ana", "Anna")
    table.score("Beto", "66666", roll=1)
    leave(store, table)
    figures = stats(looked_at(store))
    assert {person.player: person.wins for person in figures.players} == {
        "Anna": 0,
        "Beto": 1,
        "Cora": 0,
        "Dani": 1,
    }
    (anna,) = stats(looked_at(store), "anna").players
    assert [each.category for each in anna.rules[0].categories] == ["sixes"]


def test_names_that_differ_in_case_are_one_person_called_as_in_the_latest_game(store: Store) -> None:
    leave(store, won_at_once("ANA", "Beto"), 1, days=2)
    leave(store, won_at_once("Ana", "Beto"), 2)
    found = looked_at(store)
    assert [person.player for person in stats(found).players] == ["ANA", "Beto"]
    assert [game.game for game in found.finished] == [2, 1]


def test_joined_names_are_one_person_called_by_the_first(store: Store) -> None:
    leave(store, won_at_once("Ana", "Beto"), 1)
    leave(store, won_at_once("Anita", "Beto"), 2)
    join_names(store, ["Ana", "Anita"])
    found = looked_at(store)
    ana, _ = stats(found).players
    assert (ana.player, ana.games, ana.wins) == ("Ana", 2, 2)
    assert stats(found, "anita").player == "Ana"
    assert len(looked_at(store, played=["Anita"]).finished) == 2
    store.folder.path("payments/payments.json").write_bytes(b"junk")
    told: list[str] = []
    separate = looked_at(replace(store, warn=told.append))
    assert len(stats(separate).players) == 3
    assert len(told) == 1


def test_only_some_games_are_looked_at(store: Store) -> None:
    leave(store, won_at_once("Ana", "Beto"), 1)
    leave(store, won_at_once("Ana", "Beto", "Cora"), 2, days=1)
    leave(store, won_at_once("Ana", "Dani", setting="bonus=10"), 3, days=2)

    def numbers(**wanted: object) -> list[int]:
        return [game.game for game in looked_at(store, **wanted).finished]

    assert numbers() == numbers(rules="general") == [1, 2, 3]
    assert numbers(rules=fingerprint(house("general", "bonus=10"))) == [3]
    assert numbers(since="2") == [2, 3]
    assert numbers(players=3) == numbers(played=["cora"]) == [2]
    with pytest.raises(NotFound):
        numbers(rules="crag")
    with pytest.raises(UsageError):
        numbers(players=1)


def test_head_to_head_takes_two_who_played(store: Store) -> None:
    leave(store, won_at_once("Ana", "Beto", "Berta"))
    found = looked_at(store)
    pairs = versus(found, ["ana", "beto", "berta"]).pairs
    assert [pair.ahead for pair in pairs] == [
        {"Ana": 1, "Beto": 0},
        {"Ana": 1, "Berta": 0},
        {"Beto": 0, "Berta": 0},
    ]
    for typed, error in (
        (["Ana", "ana"], UsageError),
        (["Ana", "Zoe"], NotFound),
        (["Ana", "Be"], Ambiguous),
    ):
        with pytest.raises(error):
            versus(found, typed)


def test_luck_and_mistakes_are_those_of_the_reviews(store: Store) -> None:
    for number in (1, 2):
        table = Table(tiny_rules(), "Ana", "Beto")
        for player in ("Ana", "Beto"):
            table.score(player, "23", "all" if number == 2 else "twos")
        for player in ("Ana", "Beto"):
            table.score(player, "22", "twos" if number == 2 else "all")
        leave(store, table, number)
    found = looked_at(store)
    answer = stats(found, None, lambda games: luck_and_mistakes(store, games))
    reviews = [reviewed(store, number) for number in (1, 2)]
    for name in ("Ana", "Beto"):
        own = under_rules(answer, name)
        assert own.luck == pytest.approx(sum(each.players[name].luck for each in reviews) / 2)
        assert own.mistakes == pytest.approx(sum(each.players[name].mistakes for each in reviews) / 2)
        assert own.mistakes is not UNSET
        assert own.mistakes > 0
        assert (own.keeping, own.keeping_turns) == (None, 0)


def test_what_was_kept_is_counted_as_in_the_reviews_where_throws_are_known(store: Store) -> None:
    for number, threw in ((1, "21:2"), (2, "")):
        table = Table(tiny_rules(), "Ana", "Beto")
        table.score("Ana", "22", "twos", threw=threw)
        table.score("Beto", "23", "twos")
        table.score("Ana", "23", "all")
        table.score("Beto", "22", "all")
        leave(store, table, number)
    found = stats(looked_at(store), None, lambda games: luck_and_mistakes(store, games))
    reviews = [reviewed(store, number) for number in (1, 2)]
    own = under_rules(found, "Ana")
    assert own.keeping == pytest.approx(sum(each.players["Ana"].keeping or 0 for each in reviews) / 2)
    assert own.keeping_turns == 1
    assert (beto := under_rules(found, "Beto")).keeping is None
    assert beto.keeping_turns == 0


def test_a_sealed_file_whose_events_cannot_have_happened_is_named(store: Store) -> None:
    table = won_at_once("Ana", "Beto")
    table.undo()
    leave(store, table)
    path = store.folder.path("games/1/game.json")
    lying = file_of(table.agreed, table.events)
    result = replace(lying.result, totals={"Ana": 0}, next=None)
    path.write_bytes(encode(replace(lying, events=lying.events[1:], result=result)))
    assert [each.game for each in looked_at(store).left_out.damaged] == [1]


def test_games_by_the_same_rules_share_them(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for number in range(1, 9):
        leave(store, won_at_once("Ana", "Beto"), number)
    assert len({id(game.rules) for game in looked_at(store).finished}) == 1
