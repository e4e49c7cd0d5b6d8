import json
from typing import Any
from urllib.parse import unquote

from hypothesis import given

from generala_cli.exchange.formats.bgstats import FORM
from generala_cli.game.standings import outcome
from generala_cli.game.starting import start
from tests.exchange.formats.playing import file_of, written
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules

LINK = "https://app.bgstatsapp.com/createPlay.html?data="


def play(link: str) -> dict[str, Any]:
    assert link.startswith(LINK)
    data = link.removeprefix(LINK).removesuffix("\n")
    assert data.isascii()
    assert not set(data) & set('"{}[]:, &?=#')
    found: dict[str, Any] = json.loads(unquote(data))
    return found


def test_a_link_holds_what_the_app_asks_for() -> None:
    agreed = start(cached_rules("general"), ["Ana", "Beto"], openings={}, label="friday & co")
    table = Table(agreed.rules)
    table.score("Ana", "55533", "full-house", roll=1)
    table.scratch("Beto", "ones")
    table.score("Ana", "66666", None, roll=1)
    assert play(written(FORM, file_of(agreed, table.events, 7))) == {
        "sourceName": "generala",
        "sourcePlayId": f"{7:032x}",
        "playDate": "2026-11-20 21:04:00",
        "durationMin": 3,
        "comments": "General, friday & co",
        "game": {
            "name": "General",
            "sourceGameId": "generala-general",
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": "Ana",
                "sourcePlayerId": "ana",
                "startPlayer": True,
                "winner": True,
                "score": 95,
                "rank": 1,
            },
            {
                "name": "Beto",
                "sourcePlayerId": "beto",
                "startPlayer": False,
                "winner": False,
                "score": 0,
                "rank": 2,
            },
        ],
    }


@given(games(whole=True))
def test_everyone_has_the_place_that_they_ended_in(played: Played) -> None:
    game = played.history.game
    players = play(written(FORM, file_of(played.agreed, played.events)))["players"]
    ended = outcome(game)
    places = {name: each.place for each in ended.standings for name in ended.members[each.name]}
    assert {each["name"]: each["rank"] for each in players} == places
    assert all(each["winner"] == (each["rank"] == 1) for each in players)
    assert all(("team" in each) == bool(game.agreed.sides) for each in players)
    assert [each["name"] for each in players if each["startPlayer"]] == [game.seats[0]]
