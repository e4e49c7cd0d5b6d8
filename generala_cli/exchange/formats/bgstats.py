"""Links that import a game into the BG Stats app, one per line.

Format: https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites.
"""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

import msgspec
from msgspec import Struct

from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.game.seating import side_name
from generala_cli.game.standings import outcome
from generala_cli.render.lines import stake_agreed
from generala_cli.text import case_key, safe

_LINK = "https://app.bgstatsapp.com/createPlay.html?data="


class _Game(Struct, rename="camel", kw_only=True):
    name: str
    source_game_id: str
    highest_wins: bool = True
    no_points: bool = False


class _Player(Struct, rename="camel", kw_only=True, omit_defaults=True):
    name: str
    source_player_id: str
    start_player: bool
    winner: bool
    score: int
    rank: int
    team: str | None = None


class _Play(Struct, rename="camel", kw_only=True):
    source_name: str = "generala"
    source_play_id: str
    play_date: str
    duration_min: int
    comments: str
    game: _Game
    players: list[_Player]


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    """Return the links. Ids come from games, rules and names, so the app recognizes them."""
    return (f"{_LINK}{quote(msgspec.json.encode(_play(game)), safe='')}\n" for game in games)


def _play(played: PlayedGame) -> _Play:
    file, game = played.file, played.game
    ended = played.turns[-1].at if played.turns else file.started
    agreed, stake = game.agreed, stake_agreed(game)
    settings = (f"{key}={value}" for key, value in agreed.rules.settings)
    terms = (agreed.rules.title, agreed.label, "" if stake is None else str(stake), *settings)
    result = outcome(game)
    standing = {name: each for each in result.standings for name in result.members[each.name]}
    teams = {player: side_name(side) for side in agreed.sides for player in side}
    return _Play(
        source_play_id=file.id,
        play_date=f"{file.started:%Y-%m-%d %H:%M:%S}",
        duration_min=round((ended - file.started).total_seconds() / 60),
        comments=", ".join(safe(each) for each in terms if each),
        game=_Game(name=game.rules.title, source_game_id=f"generala-{game.rules.name}"),
        players=[
            _Player(
                name=player,
                source_player_id=case_key(player),
                start_player=player == game.seats[0],
                winner=standing[player].place == 1,
                score=game.total(player),
                rank=standing[player].place,
                team=teams.get(player),
            )
            for player in game.seats
        ],
    )


FORM = ExportFormat(name="bgstats", suffix=".urls", write=write, finished=True)
