"""A language of a few sentences, as Spanish: what it does not say is said in English."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog

from generala_cli.cli.commands import COMMANDS, command_words
from generala_cli.locale.building import write_catalogues
from generala_cli.messages import NO, YES, Message, words_for
from generala_cli.rules import throws

SENTENCES: Mapping[str, str] = {
    "Usage:": "Uso:",
    "Arguments": "Argumentos",
    "Options": "Opciones",
    "Examples:": "Ejemplos:",
    "[required]": "[obligatorio]",
    "Show this message and exit.": "Muestra esta ayuda.",
    "Answer with one JSON document.": "Responde con un documento JSON.",
    "Put back what was undone.": "Vuelve a anotar lo deshecho.",
    "Put back what was undone last, as long as nothing was entered since.": "Rehace lo último.",
    "Write a hand on the sheet.": "Anota una mano en la categoría.",
    "The game": "La partida",
    "How many; by default 1.": "Cuántas; sin más, 1.",
    "done": "hecho, ¿sí?",
    "default": "de fábrica",
    "no colour if it is dumb": "sin color si es dumb",
    "{name} is missing: {usage}": "falta {name}: {usage}",
    "see {command} -h": "mira {command} -h",
    "there is no option {option}": "no existe la opción {option}",
    "did you mean {names}?": "¿quizás {names}?",
    "{hint}; see {command} -h": "{hint}, y mira {command} -h",
    "{hint} see {command} -h": "{hint} mira {command} -h",
    "{name} is a whole number, not {value!r}": "{name} es un número entero, no {value!r}",
    "option {option!r} does not take a value": "la opción {option!r} no lleva valor",
    "{command} takes no {arguments}": "a {command} le sobra {arguments}",
    "there is no command {word!r}": "no existe {word!r}",
    "Delete game {game} for ever?": "¿Borrar la partida {game} para siempre?",
    "{question} [y/N]": "{question} [d/N]",
    "dry run: nothing was saved": "ensayo: no se guardó nada",
    "there is nothing to redo": "no hay nada que rehacer",
}
PLURALS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("option {option!r} requires an argument", "option {option!r} requires {count} arguments"): (
        "a la opción {option!r} le falta el valor",
        "a la opción {option!r} le faltan {count} valores",
    ),
}

_COMMANDS = command_words(COMMANDS)
TYPED: Sequence[tuple[Message, str]] = (
    (_COMMANDS["new"], "nueva, nuevo"),
    (_COMMANDS["score"], "anotar"),
    (_COMMANDS["help"], "ayuda"),
    (_COMMANDS["games"], "partidas"),
    (YES, "dale, d"),
    (NO, "nunca"),
    (words_for("today", "today"), "hoy"),
    (words_for("the option --stake", "stake"), "apuesta"),
    (throws.THROWS[1], "mano, a la primera"),
    (throws.ANY_THROW, "tiro {number}, {number}er tiro"),
)
JOINTS: Mapping[tuple[str, str], str] = {
    ("beginnings before which there is another and, apart by commas", "-"): "i, hi",
    ("before such beginnings", "{most} and {last}"): "{most} e {last}",
    ("decimal mark", "."): ",",
}


def speak_it(folder: Path) -> Path:
    """The folder of catalogues, with this language as `es`."""
    catalogue = Catalog(locale="es")
    for message, translation in SENTENCES.items():
        catalogue.add(message, translation)
    for messages, translations in PLURALS.items():
        catalogue.add(messages, translations)
    for english, words in TYPED:
        catalogue.add(english.template, words, context=english.context)
    for (context, message), translation in JOINTS.items():
        catalogue.add(message, translation, context=context)
    write_catalogues(catalogue, folder / "es" / "LC_MESSAGES")
    return folder
