"""One finished game per line, as JSON for databases."""

from collections.abc import Iterable, Iterator

import msgspec

from generala_cli.exchange.answers import ExportedGameDocument, ExportedPlayer
from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.game.seating import side_name
from generala_cli.game.standings import contenders_of, ranked
from generala_cli.rules.fingerprint import known


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    return (msgspec.json.encode(_line(game)).decode() + "\n" for game in games)


def _line(game: PlayedGame) -> object:
    file, agreed, entries, shown = game.file, game.agreed, game.entries, game.shown
    rules = known(agreed.rules)
    totals, sides = file.result.totals, agreed.sides
    among = contenders_of(sides, totals)
    first = [each.name for each in among if game.instant_winner in each.members]
    standings = ranked(among, [sum(totals[player] for player in each.members) for each in among], first)
    standing = {player: each for each in standings for player in each.contender.members}
    scratched, served = dict.fromkeys(totals, 0), dict.fromkeys(totals, 0)
    for entry in entries:
        if entry.scratched:
            scratched[entry.player] += 1
        elif entry.roll == 1:
            served[entry.player] += 1
    left = () if game.is_plain else game.game.left
    players = [
        ExportedPlayer(
            player=shown(player),
            played_as=player,
            team=side_name(map(shown, standing[player].contender.members)) if sides else "",
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
        reason="instant-win" if game.instant_winner else "points",
        winners=tuple(side_name(map(shown, each.contender.members)) for each in standings if each.place == 1),
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
