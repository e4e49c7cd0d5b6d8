"""The rules of the games: dice, requirements and points of categories. Pure functions and data."""
