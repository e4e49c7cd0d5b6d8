"""A game in play: turns, changes at the table, the sheet, places, payouts and the log.

Glossary:

* current game: the game that a command without `--game` is about.
* to move: the player whose turn it is. A late player may fill in missed turns at any time.
* result: the effect or the finding of a command, with the game; `drawing.py` draws it.
* action: an event in the words of JSON.
* deciding: asking on a terminal which box a hand goes to, if the line leaves it open.
* blank sheet: a sheet to print and fill in by hand.
"""
