"""The lines match their schema."""

import json
from collections import Counter

import pytest
from hypothesis import given

from generala_cli.exchange.answers import ExportedGameDocument
from generala_cli.exchange.formats.ndjson import FORM
from generala_cli.game.standings import outcome
from tests.cli.shapes import strict
from tests.cli.test_json_shapes import assert_shape
from tests.exchange.formats.playing import file_of, written, written_by_seal
from tests.game.strategies import Played, games

SHAPE = strict((ExportedGameDocument,))


@given(games(whole=True))
@pytest.mark.slow
def test_a_line_is_a_finished_game_as_it_ended(played: Played) -> None:
    file = file_of(played.agreed, played.events)
    text = written(FORM, file)
    assert text.count("\n") == 1
    line = json.loads(text)
    assert_shape(line, SHAPE)
    game = played.history.game
    ended = outcome(game)
    places = {name: each.place for each in ended.standings for name in ended.members[each.name]}
    assert {each["player"]: each["total"] for each in line["players"]} == {
        player: game.total(player) for player in game.seats
    }
    assert {each["player"]: each["place"] for each in line["players"]} == places
    assert tuple(line["winners"]) == ended.winners
    assert line["reason"] == ended.reason
    scratched = Counter(entry.player for entry in game.entries if entry.scratched)
    assert {each["player"]: each["scratched"] for each in line["players"]} == {
        player: scratched[player] for player in game.seats
    }
    assert written_by_seal(FORM, file) == text
