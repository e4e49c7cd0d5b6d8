"""The rules at the table: the events, the state after them, and the next legal moves. No input or output.

Errors have a reason: `UsageError` for a typing mistake, `NotAllowed` if the rules or the state of the game
forbid it, `NotFound` and `Ambiguous` for a name that fits nothing or several things.

Glossary:

* agreed: the terms before the first throw: seats, rules, stake, payout method.
* seat: a place in the order of play. Every player has a seat and a column of the sheet, also on a side.
* turn: a line as read: dice, throw, category, player. Parts that the line does not mention are None.
* entry: a scored hand or a scratch.
* change: an event at the table that is no turn: rename, leave, join, end, stake.
* event: a line of the game's file: an entry, a change, a correction, an undo or a redo.
* step: an event with the state of the game before and after it. Undo removes the last step.
* lexicon: the names and words that a line of this game may contain, normalized.
* spare: an unused throw that a player saves for later.
* payout: the debts after the game, by a payout method.
"""
