"""Tournaments and leagues: rounds of several tables, a game for each table, and one ranking."""
