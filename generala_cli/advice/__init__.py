"""The best choices with a hand, everyone's chance to win, and what luck and choices came to in a game."""
