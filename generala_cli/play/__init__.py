"""The table on one screen: what is typed at it, what it shows, and the terminal it takes and gives back."""
