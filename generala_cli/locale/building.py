"""Catalogues from the files that translators write: only for building and testing the program."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(folder: Path) -> None:
    """Write the catalogue of every language below the folder beside its file of translations."""
    for translations in folder.glob("*/LC_MESSAGES/generala.po"):
        with translations.open("rb") as file:
            catalogue = read_po(file)
        unfinished = translations.with_suffix(".unfinished")
        with unfinished.open("wb") as file:
            write_mo(file, catalogue)
        unfinished.replace(translations.with_suffix(".mo"))


class CatalogueHook(BuildHookInterface[Any]):
    """What the build calls before it packs the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues, and have them packed although no commit holds them."""
        compile_catalogues(Path(self.root, "generala_cli", "locale"))
        build_data["artifacts"].append("generala_cli/locale/**/*.mo")
