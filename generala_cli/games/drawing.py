from collections.abc import Iterable
from typing import TYPE_CHECKING

from generala_cli.game.money import METHODS
from generala_cli.game.seating import side_name
from generala_cli.games.answers import DeletedGame, GameList
from generala_cli.games.keeping import ChosenGame
from generala_cli.games.starting import StartedGame
from generala_cli.messages import lazy, listing
from generala_cli.render.language import day, translate, translate_count, translated
from generala_cli.render.lines import method_name, stake_agreed, terms, what_is_next, with_lines
from generala_cli.render.screen import Screen, draw
from generala_cli.store.hooks import label_message
from generala_cli.store.store import StoredGame
from generala_cli.text import safe

if TYPE_CHECKING:  # takes 90 ms
    from rich.console import RenderableType


@draw.register
def new_game(result: StartedGame, screen: Screen) -> str:
    game = result.stored.game
    is_as_given = game.rules.opening_throws and not game.agreed.openings and not game.entries
    players = ", ".join(safe(player) for player in game.seats)
    order = lazy("order of play: {players}", players=players)
    if is_as_given:
        order = lazy(
            "order of play: {players} (as given; use --opening to seat by opening throws)", players=players
        )
    lines = [translated(order)]
    if game.agreed.sides:
        lines.insert(0, translated(listing([safe(side_name(side)) for side in game.agreed.sides], "against")))
    payout = game.agreed.payout
    if stake_agreed(game) is not None or payout != next(iter(METHODS)):
        lines.append(translate("payout: {method}", method=method_name(payout)))
    if result.is_from_paper:
        lines.insert(0, translate("played on {day}", day=day(result.stored.file.started.astimezone())))
    if (kept := result.unfinished) is not None and result.is_current:
        lines.append(translate("game {game} is not over; generala use {game} goes back to it", game=kept))
    elif kept is not None:
        number = result.stored.number
        lines.append(
            translate(
                "game {current} is not over and stays current; generala use {game} switches to this game",
                current=kept,
                game=number,
            )
        )
    return _about(result.stored, lines, screen)


def start_sentence(result: StartedGame) -> str:
    stored = result.stored
    who = translate("game {game}: {player} is to throw", game=stored.number, player=safe(stored.game.to_move))
    if result.unfinished is None:
        return who
    return f"{who}; {translate('game {game} is not over, and you can go back to it', game=result.unfinished)}"


@draw.register
def deleted(result: DeletedGame, screen: Screen) -> str:
    if not result.deleted:
        return f"{translate('game {game} is not deleted', game=result.game)}\n"
    lines, other = [], result.unfinished
    if result.versions:
        lines.append(translate("with its other versions: {files}", files=safe(", ".join(result.versions))))
    if result.table is not None:
        of = label_message(result.table.name, result.table.round, result.table.table)
        lines.append(translate("{table} no longer counts", table=of))
    if result.used:
        lines.append(translate("game {game} is now current", game=other))
    elif other is not None:
        lines.append(translate("generala use {game} continues the latest unfinished game", game=other))
    return with_lines(translate("game {game} is deleted", game=result.game), lines, screen)


@draw.register
def chosen(result: ChosenGame, screen: Screen) -> str:
    turns = len(result.stored.game.entries)
    line = translate_count(
        "now current, with {count} turn played", "now current, with {count} turns played", turns
    )
    return _about(result.stored, [line], screen)


@draw.register(GameList)
def games(result: GameList, screen: Screen) -> "RenderableType":
    from generala_cli.games import list_drawing

    return list_drawing.games(result, screen)


def _about(result: StoredGame, lines: Iterable[str], screen: Screen) -> str:
    game = screen.strong(translate("game {game}", game=result.number))
    return with_lines(f"{game}: {terms(result.game)}", [*lines, *what_is_next(result.game, screen)], screen)
