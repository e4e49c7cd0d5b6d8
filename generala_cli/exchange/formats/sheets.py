from collections.abc import Iterator, Sequence

from msgspec import Struct

from generala_cli.exchange.format import PlayedGame
from generala_cli.game.game import Game
from generala_cli.game.money import is_for_points
from generala_cli.game.payouts import settle
from generala_cli.render import tables
from generala_cli.render.language import translate
from generala_cli.render.lines import debt_text, ending, places, terms
from generala_cli.render.screen import UNICODE, UNLIMITED, Screen
from generala_cli.text import safe

PAGE = Screen(width=UNLIMITED, color=False, marks=UNICODE)

PrintedLine = tuple[str, Sequence[str]]
"""The label of a line, and the texts in the players' boxes."""


class Printed(Struct, frozen=True, kw_only=True):
    """The page of a game. The last section has the totals; `below` has the legend, places and debts."""

    title: str
    when: str
    players: Sequence[str]
    sections: Sequence[Sequence[PrintedLine]]
    below: Sequence[str]


def printed(played: PlayedGame) -> Printed:
    game = played.game
    below = [line.replace("  ", ", ") for line in tables.legend(game, PAGE)]
    below += (
        ending(game)
        if game.is_over
        else [translate("not finished: {player} is next", player=safe(game.to_move))]
    )
    below.append(places(game))
    return Printed(
        title=translate("Game {game}: {terms}", game=played.file.game, terms=terms(game)),
        when=tables.local_time(played.file.started),
        players=[safe(player) for player in game.seats],
        sections=list(tables.sheet_sections(game, PAGE)),
        below=[*below, *_payouts(game)],
    )


def _payouts(game: Game) -> Iterator[str]:
    agreed = game.agreed
    if not game.is_over or is_for_points(agreed.stake, agreed.unit):
        return
    payout = settle(game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    yield from (debt_text(debt, payout) for debt in payout.debts)
