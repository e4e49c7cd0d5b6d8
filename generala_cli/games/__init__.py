"""Whole games: start one, play it again, make it current, delete it, list them."""
