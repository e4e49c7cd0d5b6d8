"""Nights of many tables: who sits where, a game for each table, and one list."""
