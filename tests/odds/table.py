"""Sheets of real games for odds, produced by the decisions of `game`."""

from random import Random

import numpy as np

from generala_cli.game.game import Game, evolve, new_game
from generala_cli.game.starting import start
from generala_cli.odds.fills import FillTable
from generala_cli.odds.selections import Selections
from generala_cli.odds.sheets import Sheet, Sheets
from generala_cli.rules.ruleset import RuleSet
from tests.game.strategies import Limits, random_entry
from tests.game.table import house

HOUSES = (
    ("balut",),
    ("balut-stc", "balut=sum+20"),
    ("bozo",),
    ("cacho",),
    ("cacho", "turning=one", "instant-win=unless-scratched"),
    ("crag",),
    ("escalero",),
    ("general",),
    ("general-brasil", "instant-win=always", "all-alike-as-full-house=yes"),
    ("generala",),
    ("generala", "instant-win=while-open"),
    ("generala", "instant-win=unless-scratched", "bonus=10"),
    ("generala", "instant-win=unless-scratched", "double-generala=yes", "bonus=10"),
    ("generala", "double-generala=yes", "double-generala-needs=five-alike", "instant-win=while-open"),
    ("generala", "fill-order=top-to-bottom", "generala=50/70", "double-generala=100/150"),
    ("generala-ace",),
    ("generala-round", "straights=different", "throws=1"),
    ("generals", "double-generala=yes", "throws=2"),
    ("general", "instant-win=while-open", "spares=yes", "aces=2"),
    ("golden-fifty",),
    ("golden-fifty", "fill-order=top-to-bottom", "throws=4"),
    ("kniffel",),
    ("yahtzee",),
    ("yatzy",),
    ("yatzy", "same-face-as-two-pairs=yes", "joker=free"),
    ("maxi-yatzy",),
    ("yahtzee", "joker=own-box-first", "fill-order=top-to-bottom"),
    ("kniffel", "extra-kniffel=50", "joker=free"),
    ("kniffel", "upper-bonus=50", "upper-bonus-from=30", "instant-win=always"),
    ("yacht",),
)
NO_WINS = Limits(corrections=False, instant_wins=False)


def house_rules() -> dict[str, RuleSet]:
    return {" ".join(settings): house(*settings) for settings in HOUSES}


def played(rules: RuleSet, seed: int, to_come: int) -> tuple[Game, Random]:
    """Return a random game of two until Ana has that many open boxes, and the random generator."""
    randomness = Random(seed)
    game = new_game(start(rules, ["Ana", "Beto"], openings={}))
    while len(game.open_categories("Ana")) > to_come or game.to_move == "Beto":
        game = evolve(game, random_entry(game, randomness, NO_WINS))
    return game, randomness


def most_to_come(rules: RuleSet, sheet: Sheet) -> int:
    """Return the most points that the open boxes can still earn, including an upper bonus."""
    sheets = Sheets(rules, sheet)
    table = FillTable(sheets, Selections(rules.dice, rules.faces))
    return int(table.most_to_come(np.array([sheets.first]))[0])
