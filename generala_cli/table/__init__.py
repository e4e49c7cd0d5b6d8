"""A game in play: turns, changes at the table, the sheet, places, payouts and the log."""
