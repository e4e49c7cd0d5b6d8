"""Games and all else a player has, to other tools and to other machines: export, import, sync."""
