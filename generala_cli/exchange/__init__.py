"""Export games and other data to other tools, import them, and sync several machines."""
