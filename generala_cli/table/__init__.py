"""A game that is played: its turns, who comes and goes, its sheet, places, payouts and log."""
