"""Whole games: start one, play it again, make it current, delete it, list them.

Glossary:

* terms: the rules, stake, unit and payout method of a game.
* label: the user's name for a game, such as "Tuesday".
* opening throws: throws before the game that decide the order of play.
* rematch: a new game with the players and terms of an old one.
* current game: the game that a command without `--game` is about.
"""
