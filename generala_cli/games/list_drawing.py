from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType

from generala_cli.games.answers import GameList
from generala_cli.messages import lazy, listing
from generala_cli.render.drawing import Column, GivesWay, fits, shortened, table
from generala_cli.render.language import translate
from generala_cli.render.lines import label_text
from generala_cli.render.lists import Item, row_items, stacked
from generala_cli.render.screen import Screen
from generala_cli.render.tables import local_time
from generala_cli.store.game_lists import ListedGame
from generala_cli.text import safe

_READABLE_TOTALS = 36  # enough columns for the totals of about three players


def games(result: GameList, screen: Screen) -> RenderableType:
    if not result.games and not result.damaged:
        if not result.all:
            return f"{translate('no game matches; generala games lists them all')}\n"
        return f"{translate('no games yet; start one with generala new NAME NAME')}\n"
    return stacked(game_items(result, screen))


def game_items(result: GameList, screen: Screen) -> list[Item]:
    columns = _columns(result, screen)
    if not fits(columns, screen):
        return [
            *(_narrow_game_item(game, screen) for game in result.games),
            *(
                Item(each.game, (f" {each.game:>3}  {translate('cannot be read')}",))
                for each in result.damaged
            ),
        ]
    numbers = [*(game.game for game in result.games), *(each.game for each in result.damaged)]
    return list(row_items(table(*columns, screen=screen), numbers, screen))


def _columns(result: GameList, screen: Screen) -> Sequence[Column]:
    games, damaged = result.games, result.damaged
    nothing = [""] * len(damaged)
    totals = [", ".join(f"{name} {total}" for name, total in game.totals.items()) for game in games]
    states = [*map(_state, games), *(translate("cannot be read") for _ in damaged)]
    shortens = GivesWay.SHORTENS
    return (
        Column(cells=[*(screen.marks.turn if game.current else "" for game in games), *nothing]),
        Column(lazy("game"), [*(game.game for game in games), *(each.game for each in damaged)], right=True),
        Column(lazy("started"), [*(local_time(game.started) for game in games), *nothing]),
        Column(lazy("rules"), [*(game.rules for game in games), *nothing]),
        Column(lazy("players"), [*totals, *nothing], gives_way=shortens, readable=_READABLE_TOTALS),
        Column(lazy("state"), states, gives_way=shortens),
        Column(lazy("label"), [*(label_text(game.label) for game in games), *nothing], gives_way=shortens),
    )


def _state(found: ListedGame) -> str:
    if not found.counts:
        return translate("does not count")
    if found.next:
        return translate("{player} to throw", player=found.next)
    if not found.winners:
        return translate("no entries")
    return translate("won by {players}", players=listing(found.winners, "and"))


def _narrow_game_item(game: ListedGame, screen: Screen) -> Item:
    room, marks = screen.width - 6, screen.marks
    players: list[str] = []
    for name, total in game.totals.items():
        shown = f"{shortened(name, room - len(f' {total},'), marks)} {total}"
        if players and cell_len(f"{players[-1]}, {shown},") <= room:
            players[-1] += f", {shown}"
        else:
            players = [*players[:-1], *(f"{last}," for last in players[-1:]), shown]
    first = f"{marks.turn if game.current else ' '}{game.game:>3}  {local_time(game.started)}"
    below = (*players, _state(game), *([label_text(game.label)] if game.label else []))
    lines = (f"      {shortened(each, room, marks)}" for each in below)
    return Item(game.game, (safe(f"{first}  {game.rules}"), *lines))
