"""A language of a few sentences, as Spanish: what it does not say is said in English."""

from collections.abc import Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

AGREE = "what agrees, apart by blanks"
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
    "missing argument {name}": "falta {name}",
    "see {command} -h": "mira {command} -h",
    "there is no option {option}": "no existe la opción {option}",
    "did you mean {names}?": "¿quizás {names}?",
    "{hint}; see {command} -h": "{hint}, y mira {command} -h",
    "{hint} see {command} -h": "{hint} mira {command} -h",
    "invalid value for {name}: {value!r} is not a whole number": "{name}: {value!r} no es un número entero",
    "option {option!r} does not take a value": "la opción {option!r} no lleva valor",
    "got unexpected extra argument(s) ({arguments})": "sobra: {arguments}",
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


def speak_it(folder: Path) -> Path:
    """The folder of catalogues, with this language as `es`."""
    catalogue = Catalog(locale="es")
    for message, translation in SENTENCES.items():
        catalogue.add(message, translation)
    for messages, translations in PLURALS.items():
        catalogue.add(messages, translations)
    catalogue.add("y yes", "d dale", context=AGREE)
    place = folder / "es" / "LC_MESSAGES" / "generala.mo"
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        write_mo(file, catalogue)
    return folder
