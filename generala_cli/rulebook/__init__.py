"""Rule sets: which there are, how each is played, what a hand is worth by it, and those a player writes."""
