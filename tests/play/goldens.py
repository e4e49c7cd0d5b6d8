"""The golden screens; `python -m tests.play.goldens` replaces them with the current ones."""

import asyncio
import tempfile
from pathlib import Path

from msgspec.structs import replace

from generala_cli.play.app import TableApp
from generala_cli.play.table import Table
from generala_cli.render.language import speak
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from tests.cli.program import Generala
from tests.play.piloted import PLAIN, lines_of, typed
from tests.store.files import store_in

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((80, 24), (60, 20), (40, 20), (30, 12))
PICTURES = {
    "en": GOLDEN / "table.svg",
    "es": GOLDEN / "table.es.svg",
    "de": GOLDEN / "table.de.svg",
    "pt": GOLDEN / "table.pt.svg",
}
"""Of the first size, for the README in each language."""
KEYS = "55533 1"
"""The typed text at the time of the picture."""

_PLAYED = (
    ("new", "Ana", "Beto", "Cora", "Dani", "--rules", "general", "--stake", "0.05", "--unit", "USD"),
    ("score", "44442", "--roll", "1"),
    ("score", "13456"),
    ("scratch", "ones"),
    ("score", "66621", "--as", "sixes"),
)


_NAMES = {"de": {"Ana": "Anna", "Beto": "Ben", "USD": "EUR"}, "pt": {"Cora": "Cida", "USD": "BRL"}}
"""Names and currency in the pictures of a language."""


def play_some(generala: Generala, language: str = "en") -> Store:
    """Play the game on the screens: four players, one turn each; Ana is next."""
    names = _NAMES.get(language, {})
    for command in _PLAYED:
        generala.ok(*(names.get(word, word) for word in command))
    return store_in(generala.data)


def text_of(size: tuple[int, int]) -> Path:
    """Return the path of the screen's text in that size."""
    return GOLDEN / f"{size[0]}x{size[1]}.txt"


def looked_at(store: Store, size: tuple[int, int]) -> tuple[str, str]:
    """Return the text of the screen while a hand is typed, and its picture."""

    async def run() -> tuple[str, str]:
        screen = replace(PLAIN, color=True)
        app = TableApp(store, HouseRules(directory=Path("nowhere")), Table(store, screen, None), screen)
        async with app.run_test(size=size) as pilot:
            await typed(pilot, KEYS)
            return "\n".join(lines_of(app)) + "\n", app.export_screenshot(title="generala play")

    return asyncio.run(run())


def pictured(store: Store, language: str) -> str:
    """Return the picture of the screen in that language. Then switch back to English."""
    speak(language)
    try:
        return looked_at(store, SIZES[0])[1]
    finally:
        speak("en")


def main() -> None:
    """Write them all."""
    with tempfile.TemporaryDirectory() as home:
        store = play_some(Generala(home=Path(home)))
        for size in SIZES:
            text_of(size).write_text(looked_at(store, size)[0], encoding="utf-8")
    for language, picture in PICTURES.items():
        with tempfile.TemporaryDirectory() as home:
            store = play_some(Generala(home=Path(home)), language)
            picture.write_text(pictured(store, language), encoding="utf-8")


if __name__ == "__main__":
    main()
