"""A result as text for people, or as one JSON document. No decisions."""
