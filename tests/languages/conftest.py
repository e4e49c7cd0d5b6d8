"""The program in a home of its own, as the tests of the command line have it."""

from tests.cli.conftest import generala, played, played_once, with_tournament, with_tournament_once

__all__ = ["generala", "played", "played_once", "with_tournament", "with_tournament_once"]
