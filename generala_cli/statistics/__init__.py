"""Statistics, records and head-to-head results over all finished games."""
