"""Advice on a hand, chances to win, and a review of luck and choices in a game."""
