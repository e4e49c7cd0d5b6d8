"""The scorekeeper for Generala and its family, played with real dice."""

__version__ = "1.0.0"
