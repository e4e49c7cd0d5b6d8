"""What commands are called in the languages of the table. Every name is taken whole, whoever speaks what.

The English names are those of `commands.py`; scripts use them. This is read where none of them was typed, and
for the help of another language.
"""

from collections.abc import Mapping

from generala_cli.cli.commands import BELOW, COMMANDS, Command
from generala_cli.text import plain

Names = Mapping[str, Mapping[str, str]]
"""For each command its names by language, apart by blanks; the help shows the first."""

_NAMES: Names = {
    "new": {"es": "nueva nuevo", "de": "neu"},
    "play": {"es": "jugar", "de": "spielen"},
    "score": {"es": "anotar", "de": "eintragen"},
    "scratch": {"es": "tachar", "de": "streichen"},
    "undo": {"es": "deshacer", "de": "rückgängig zurück"},
    "redo": {"es": "rehacer", "de": "wiederherstellen"},
    "amend": {"es": "corregir", "de": "korrigieren"},
    "rename": {"es": "renombrar", "de": "umbenennen"},
    "leave": {"es": "retirar salir", "de": "gehen"},
    "join": {"es": "sumar entrar", "de": "mitspielen"},
    "stake": {"es": "apuesta", "de": "einsatz"},
    "sheet": {"es": "planilla", "de": "block zettel"},
    "standings": {"es": "posiciones", "de": "stand"},
    "payouts": {"es": "cuentas", "de": "auszahlung"},
    "log": {"es": "registro", "de": "protokoll"},
    "advise": {"es": "consejo", "de": "rat"},
    "odds": {"es": "chances", "de": "chancen"},
    "review": {"es": "repaso", "de": "rückblick"},
    "games": {"es": "partidas", "de": "spiele partien"},
    "use": {"es": "usar", "de": "wählen"},
    "rematch": {"es": "revancha", "de": "revanche"},
    "delete": {"es": "borrar", "de": "löschen"},
    "export": {"es": "exportar", "de": "exportieren"},
    "import": {"es": "importar", "de": "importieren"},
    "ledger": {"es": "saldos libro", "de": "abrechnung kasse"},
    "pay": {"es": "pagar", "de": "zahlen bezahlen"},
    "players": {"es": "jugadores", "de": "spieler"},
    "stats": {"es": "estadísticas", "de": "statistik"},
    "records": {"es": "récords", "de": "rekorde"},
    "versus": {"es": "duelo", "de": "duell"},
    "check": {"es": "probar", "de": "prüfen"},
    "rules": {"es": "reglas", "de": "regeln"},
    "doctor": {"es": "diagnóstico", "de": "diagnose"},
    "help": {"es": "ayuda", "de": "hilfe"},
    "completion": {"es": "completado", "de": "vervollständigung"},
    "schema": {"es": "esquema", "de": "schema"},
}
_NAMES_BELOW: Mapping[str, Names] = {
    "rules": {
        "list": {"es": "lista", "de": "liste"},
        "show": {"es": "mostrar", "de": "zeigen"},
        "new": {"es": "nuevas", "de": "neu"},
        "edit": {"es": "editar", "de": "bearbeiten"},
        "check": {"es": "revisar", "de": "prüfen"},
        "path": {"es": "carpeta", "de": "ordner"},
    },
    "players": {
        "list": {"es": "lista", "de": "liste"},
        "same": {"es": "unir", "de": "gleich"},
        "apart": {"es": "separar", "de": "trennen"},
    },
}


def names_in(table: Mapping[str, Command]) -> Names:
    """What the commands of a table are called."""
    if table is COMMANDS:
        return _NAMES
    return next(_NAMES_BELOW[group] for group, below in BELOW.items() if below is table)


def shown(name: str, language: str, table: Mapping[str, Command]) -> str:
    """A command's name in the help: the English one, and beside it that of the language, if it is another."""
    first, *_ = names_in(table)[name].get(language, name).split()
    return name if first == name else f"{name}, {first}"


_WITHOUT_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
"""How German is typed on keys that have none."""


def meant(word: str, table: Mapping[str, Command]) -> str | None:
    """The command that a word names whole, in any of the languages, in any case, with or without accents."""
    wanted = plain(word)
    for name, called in names_in(table).items():
        answered = [each for words in called.values() for each in words.split()]
        if wanted in (*map(plain, answered), *(each.translate(_WITHOUT_UMLAUTS) for each in answered)):
            return name
    return None
