"""Catalogues from the files that translators write, and what else a build packs: not part of the program."""

from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TYPED = ("words for ", "date", "decimal mark")
"""How the context of text that people type begins: words (`messages.WORDS`), dates and decimal marks."""


def compile_catalogues(folder: Path) -> None:
    """Write the catalogues of every language below the folder next to its file of translations."""
    for translations in folder.glob("*/LC_MESSAGES/generala.po"):
        with translations.open("rb") as file:
            write_catalogues(read_po(file), translations.parent)


def write_catalogues(catalogue: Catalog, folder: Path) -> None:
    """Write `generala.mo`, which holds everything, and `words.mo`, which holds only what people type.

    Typed words are looked up in every language, so that catalogue must open fast.
    """
    words = Catalog(locale=catalogue.locale, charset="utf-8", fuzzy=False)
    for message in catalogue:
        if (message.context or "").startswith(TYPED):
            words.add(message.id, message.string, context=message.context)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("generala", catalogue), ("words", words)):
        unfinished = folder / f"{name}.unfinished"
        with unfinished.open("wb") as file:
            write_mo(file, content)
        unfinished.replace(folder / f"{name}.mo")


class MadeFilesHook(BuildHookInterface[Any]):
    """The hook that the build calls before it packs the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues, and pack them and what a release has made although no commit holds them."""
        compile_catalogues(Path(self.root, "generala_cli", "locale"))
        build_data["artifacts"] += ["generala_cli/locale/**/*.mo", "/man"]
        if self.target_name == "wheel" and Path(self.root, "man").is_dir():
            build_data["shared_data"]["man"] = "share/man"
