"""The only code that touches a player's files."""
