"""What a player can do: load, decide, save, and answer with a frozen result. Nothing is printed."""
