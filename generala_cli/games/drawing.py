"""The list of games as a terminal shows it."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.games.keeping import GameList
from generala_cli.messages import Message, lazy, listing
from generala_cli.render.drawing import plain_table, shortened
from generala_cli.render.language import longer, translate
from generala_cli.render.lists import NARROW_LIST, Item, row_items, stacked
from generala_cli.render.screen import Screen
from generala_cli.render.tables import local_time
from generala_cli.store.game_lists import ListedGame
from generala_cli.text import safe


def games(result: GameList, screen: Screen) -> RenderableType:
    """Every game, the current one marked; on a narrow screen each takes a few lines."""
    if not result.games and not result.damaged:
        if not result.all:
            return f"{translate('no game matches; generala games lists them all')}\n"
        return f"{translate('no games yet; start one with generala new NAME NAME')}\n"
    return stacked(game_items(result, screen))


def game_items(result: GameList, screen: Screen) -> list[Item]:
    """The items of the list, each game under its number."""
    if screen.width < NARROW_LIST + longer(*_GAMES_HEADS):
        return [
            *(_narrow_game_item(game, screen) for game in result.games),
            *(
                Item(each.game, (f" {each.game:>3}  {translate('cannot be read')}",))
                for each in result.damaged
            ),
        ]
    rows: list[tuple[object, ...]] = [
        (
            screen.marks.turn if game.current else "",
            game.game,
            local_time(game.started),
            game.rules,
            ", ".join(f"{name} {total}" for name, total in game.totals.items()),
            _state(game),
            game.label,
        )
        for game in result.games
    ]
    rows += [("", each.game, "", "", "", translate("cannot be read"), "") for each in result.damaged]
    numbers = [*(game.game for game in result.games), *(each.game for each in result.damaged)]
    table = plain_table(_GAMES_HEADS, rows, right=(1,), flexible=(4, 5, 6))
    return list(row_items(table, numbers, screen))


_GAMES_HEADS: Sequence[str | Message] = (
    "",
    lazy("game"),
    lazy("started"),
    lazy("rules"),
    lazy("players"),
    lazy("state"),
    lazy("label"),
)


def _state(found: ListedGame) -> str:
    """Who throws next in a game, or has won it."""
    if found.next:
        return translate("{player} to throw", player=found.next)
    return translate("won by {players}", players=listing(found.winners, "and"))


def _narrow_game_item(game: ListedGame, screen: Screen) -> Item:
    """Its players with their totals on as few lines as they fill."""
    room, marks = screen.width - 6, screen.marks
    players: list[str] = []
    for name, total in game.totals.items():
        shown = f"{shortened(name, room - len(f' {total},'), marks)} {total}"
        if players and cell_len(f"{players[-1]}, {shown},") <= room:
            players[-1] += f", {shown}"
        else:
            players = [*players[:-1], *(f"{last}," for last in players[-1:]), shown]
    first = f"{marks.turn if game.current else ' '}{game.game:>3}  {local_time(game.started)}"
    below = (*players, _state(game), *([game.label] if game.label else []))
    lines = (f"      {shortened(each, room, marks)}" for each in below)
    return Item(game.game, (safe(f"{first}  {game.rules}"), *lines))
