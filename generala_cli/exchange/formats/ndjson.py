from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from generala_cli.exchange.answers import ExportedGameDocument, ExportedPlayer
from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.game.seating import side_name
from generala_cli.game.standings import contenders_of, outcome_of
from generala_cli.rules.fingerprint import known


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    return (msgspec.json.encode(_line(game)).decode() + "\n" for game in games)


def _line(game: PlayedGame) -> object:
    file, agreed, entries, shown = game.file, game.agreed, game.entries, game.shown
    rules = known(agreed.rules)
    totals, sides = file.result.totals, agreed.sides
    first = [each.name for each in contenders_of(sides, totals) if game.instant_winner in each.members]
    reason: Literal["points", "instant-win"] = "instant-win" if game.instant_winner else "points"
    ended = outcome_of(totals, sides, first, reason=reason, points=file.result.game_points or {})
    standing = {player: each for each in ended.standings for player in ended.members[each.name]}
    scratched, served = dict.fromkeys(totals, 0), dict.fromkeys(totals, 0)
    for entry in entries:
        if entry.scratched:
            scratched[entry.player] += 1
        elif entry.price_roll == 1:
            served[entry.player] += 1
    left = () if game.is_plain else game.game.left
    players = [
        ExportedPlayer(
            player=shown(player),
            played_as=player,
            team=side_name(map(shown, ended.members[standing[player].name])) if sides else "",
            seat=seat,
            place=standing[player].place,
            total=total,
            won=standing[player].place == 1,
            scratched=scratched[player],
            served=served[player],
            left_table=player in left,
        )
        for seat, (player, total) in enumerate(totals.items(), start=1)
    ]
    return ExportedGameDocument(
        game=file.game,
        id=file.id,
        label=agreed.label,
        rules=agreed.rules.name,
        fingerprint=rules.fingerprint,
        settings=rules.settings,
        started=file.started,
        ended=game.ended,
        turns=len(entries),
        stake=agreed.stake,
        unit=agreed.unit,
        payout=agreed.payout,
        reason=reason,
        winners=tuple(side_name(map(shown, ended.members[name])) for name in ended.winners),
        players=tuple(players),
    )


FORM = ExportFormat(
    name="ndjson",
    suffix=".ndjson",
    write=write,
    finished=True,
    judged=False,
    by_person=True,
)
