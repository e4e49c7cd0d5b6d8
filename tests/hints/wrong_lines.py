"""Wrong lines that people could type in a language: the lines of a table, each with one mistake."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

VALID: Mapping[str, Sequence[str]] = {
    "en": (
        *("11444", "66655 full house", "55543 chance Beto", "full house 66655", "Beto 44453 fours"),
        *("x ones", "scratch twos", "55432 x ones", "score 66655 --as full-house", "scratch threes 55432"),
        *("score 55543 --player Beto --as chance", "amend 2 44441 --as four-of-a-kind", "amend 3 --as ones"),
        *("undo", "undo 2", "leave Dora", "join Cora", "rename Beto Berta", "stake 5 --unit USD", "payouts"),
        *(
            "pay Ana Beto 5",
            "check 55533",
            "games --with Ana",
            "stats Ana",
            "versus Ana Beto",
            "log",
            "sheet",
        ),
        *(
            "new Ana Beto --rules yahtzee --stake 5 --unit USD",
            "payouts --method pot",
            "standings",
            "players",
        ),
        *("rules show kniffel", "ledger --with Ana", "help score", "export --format csv", "use 1", "redo"),
    ),
    "es": (
        *("66655", "66655 full", "12345 1 escalera", "full 66655 2", "Beto 66655", "66655 full 1 Beto"),
        *("tachar unos", "x doses", "55432 x unos", "anotar 66655 --as full", "tachar treses 55432"),
        *("anotar 66655 --player Beto --roll 1", "corregir 2 44441 --as póker", "corregir 3 --roll 2"),
        *("deshacer", "deshacer 2", "retirar Dora", "sumar Cora", "renombrar Beto Berta", "cuentas"),
        *("apuesta 50 --unit ARS", "pagar Ana Beto 500", "probar 55533", "partidas --with Ana", "posiciones"),
        *("nueva Ana Beto --rules general --stake 50 --unit ARS", "cuentas --method pozo", "planilla"),
        *("estadísticas Ana", "duelo Ana Beto", "registro", "reglas mostrar kniffel", "saldos --with Ana"),
        *("ayuda anotar", "exportar --format csv", "usar 1", "rehacer", "jugadores", "66655 servido full"),
    ),
    "de": (
        *("11444", "66655 Full House", "55543 Chance Beto", "Full House 66655", "Beto 66655 Chance"),
        *("streichen Einser", "x Zweier", "55432 x Einser", "eintragen 66655 --as full-house"),
        *("eintragen 55543 --player Beto --as Chance", "korrigieren 2 44441 --as Viererpasch", "zurück"),
        *("zurück 2", "gehen Dora", "mitspielen Cora", "umbenennen Beto Berta", "einsatz 5 --unit EUR"),
        *("zahlen Ana Beto 5", "prüfen 55533", "spiele --with Ana", "stand", "abrechnung", "block"),
        *("neu Ana Beto --rules kniffel --stake 5 --unit EUR", "abrechnung --method Topf", "protokoll"),
        *("statistik Ana", "duell Ana Beto", "regeln zeigen kniffel", "gesamtabrechnung --with Ana"),
        *("hilfe eintragen", "exportieren --format csv", "wählen 1", "wiederherstellen", "spieler"),
        *("streichen Dreier 55432", "korrigieren 3 --as Einser", "66655 Dreierpasch Beto"),
    ),
    "pt": (
        *("66655", "66655 full", "12345 1 seguida", "full 66655 2", "Beto 66655", "66655 full 1 Beto"),
        *("queimar uns", "x dois", "55432 x uns", "anotar 66655 --as full", "queimar três 55432"),
        *("anotar 66655 --player Beto --roll 1", "corrigir 2 44441 --as quadra", "corrigir 3 --roll 2"),
        *("desfazer", "desfazer 2", "sair Dora", "entrar Cora", "renomear Beto Bia", "acerto", "cartela"),
        *("aposta 5 --unit BRL", "pagar Ana Beto 5", "conferir 55533", "partidas --with Ana", "placar"),
        *("nova Ana Beto --rules general --stake 5 --unit BRL", "acerto --method bolo", "duelo Ana Beto"),
        *("estatísticas Ana", "registro", "regras mostrar kniffel", "contas --with Ana", "usar 1"),
        *("ajuda anotar", "exportar --format csv", "refazer", "jogadores", "66655 de primeira full"),
    ),
}
"""Lines that are accepted in the game of `table`."""

MORE: Mapping[str, Sequence[str]] = {
    "en": (
        *(
            "enter 66655",
            "I rolled 66655",
            "66655 please",
            "66655 fullhose",
            "full",
            "66655 small",
            "yahtzee",
        ),
        *("undo last turn", "undo everything", "undo all", "amend last 44444", "amend 1 44444", "fix turn 2"),
        *("66655 double", "sume Cora", "add Cora", "Dora goes home", "Dora leaves", "bye Dora", "join USD"),
        *("stake $100", "stake 5 pesos", "new Ana and Beto --rules yahtzee --stake 5 --unit USD", "new Ana"),
        *("new Ana Beto forced", "rules yatzee", "new game", "score", "scratch", "pay Ana 5", "pay Ana Beto"),
        *("four fours", "44441 four of kind", "66655 x", "x 66655", "amend 2", "amend", "leave", "who won"),
        *("delete all", "remove game 1", "chance 66543 1", "12345 straight", "12345 street", "help me"),
        *("66655 --full", "66655 --as", "--as full 66655", "score --player Beto", "stats --with Ana"),
        *("12345 fourth throw", "rematch Ana first", "full house of sixes and threes"),
        *("new with Ana and Beto", "new players Ana Beto", "generala of fours 44444"),
    ),
    "es": (
        *("anoto 55533", "anoto 66655", "12345 escalera menor", "corregir 3 no era servida", "anotar"),
        *("deshacer última", "deshacer todo", "corregir 1 44444", "44441 doble", "generala servida"),
        *('nueva Lucho, Ñato y "Tía Pocha" --rules general --stake 50 --unit ARS', "sumar USD"),
        *("nueva Ana Beto --rules generala obligada", "póker de cuatros", "se va Dora", "se fue Dora"),
        *("nueva Lucho y Ñato con Mirta --rules general --stake 50", "apuesta '$100'", "apuesta 100 pesos"),
        *("tachó unos", "tacho", "tachar", "me anoto 66655", "saqué 66655", "66655 por favor", "quién gana"),
        *("full", "servida", "escalera servida", "doble generala", "44441 poker servido", "corregir última"),
        *(
            "corregir 2",
            "corregir",
            "borrar última",
            "borrar todo",
            "Dora se va",
            "chau Dora",
            "pagar Ana 500",
        ),
        *("pagar a Beto 500", "quiero jugar", "nuevo juego", "empezar", "mostrar puntos", "tabla", "ayúdame"),
        *("66655 fool", "66655 ful", "12345 escalra", "44441 poquer", "66655 uno", "tachar generla"),
        *(
            "66633 al as",
            "12345 cuarto tiro",
            "revancha Ana primero",
            "full de seises y treses",
            "44444 pista",
        ),
        *("nueva con Ana y Beto", "generala de cuatros 44444", "66655 consejo", "corregir 1 --as pokr"),
    ),
    "de": (
        *("Chance 66543", "trage 66655 ein", "66655 bitte", "66655 Fullhaus", "Full", "12345 Straße"),
        *(
            "Zug zurück",
            "alles zurück",
            "zurück alles",
            "zurück letzter",
            "korrigieren 1 44444",
            "löschen alles",
        ),
        *("Dora geht", "tschüss Dora", "mitspielen EUR", "einsatz 5 Euro", "einsatz '5 €'", "einsatz $100"),
        *("neu Ana und Beto --rules kniffel --stake 5 --unit EUR", "neues Spiel", "neu Ana", "eintragen"),
        *("streichen", "streiche", "vier Vierer", "44441 Vierer Pasch", "66655 x", "x 66655", "korrigieren"),
        *("korrigieren 2", "korrigieren letzter 44441", "wer gewinnt", "punkte", "zahlen Ana 5", "hilfee"),
        *("66655 Fulhaus", "12345 grosse strase", "66543 Chanze", "66655 eins", "streiche Kniffl", "kniffel"),
        *("66655 --full", "66655 --as", "eintragen --player Beto", "statistik --with Ana", "gewürfelt 66655"),
        *("revanche Ana zuerst", "neu Spieler Ana Beto", "neu Spieler Eva"),
        *("Full House mit Sechsern und Dreiern", "12345 vierter Wurf", "neu mit Ana und Beto"),
    ),
    "pt": (
        *(
            "anoto 55533",
            "anota 66655",
            "marca 66655 full",
            "12345 seguida maior",
            "corrigir 3 não foi de primeira",
        ),
        *(
            "desfazer última",
            "desfazer tudo",
            "corrigir 1 44444",
            "44441 dupla",
            "general de primeira",
            "anotar",
        ),
        *(
            'nova Zeca, Tonho e "Tia Lourdes" --rules general --stake 5 --unit BRL',
            "entrar BRL",
            "volta tudo",
        ),
        *("nova Ana Beto --rules generala obrigatória", "quadra de quatros", "Dora vai embora", "tchau Dora"),
        *(
            "nova Zeca e Tonho com Mirta --rules general --stake 5",
            "aposta 'R$ 5'",
            "aposta 5 reais",
            "aposta 5 pila",
        ),
        *("queimou uns", "queimo", "queimar", "tirei 66655", "fiz 66655", "66655 por favor", "quem ganhou"),
        *(
            "full",
            "de primeira",
            "seguida de boca",
            "general duplo",
            "44441 poker de primeira",
            "corrigir última",
        ),
        *(
            "corrigir 2",
            "corrigir",
            "apagar última",
            "apagar tudo",
            "pagar Ana 5",
            "pagar para Beto 5",
            "grana",
        ),
        *(
            "quero jogar",
            "novo jogo",
            "começar",
            "mostrar pontos",
            "tabela",
            "me ajuda",
            "placa",
            "anular uns",
        ),
        *(
            "66655 fool",
            "66655 ful",
            "12345 seguda",
            "44441 poquer",
            "66655 um",
            "queimar genral",
            "66655 fulll",
        ),
        *("66633 no ás", "12345 quarto lance", "revanche Ana primeiro", "full de seis e três", "66655 dica"),
        *("nova com Ana e Beto", "generala de quatros 44444", "66655 conselho"),
    ),
}
"""Lines of people who do not know the commands, and slips that were seen."""
_EXTRA = {
    "en": ("please", "now", "again"),
    "es": ("por favor", "ahora", "otra vez"),
    "de": ("bitte", "jetzt", "nochmal"),
    "pt": ("por favor", "agora", "de novo"),
}
_FOREIGN = ("punteggio", "gagnant", "dados", "Würfel", "points")
_OPTIONS = ("--foo", "--player", "--rules kniffel", "--all", "--json=1", "--thow 2", "--cat full")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def wrong_lines(language: str, count: int) -> Sequence[str]:
    """Return the first lines of a language: those of people, then made ones, always the same."""
    lines = dict.fromkeys(MORE[language])
    random = Random(f"wrong lines in {language}")
    while len(lines) < count:
        lines.setdefault(_with_mistake(random.choice(VALID[language]), random, language))
    return [*lines][:count]


def _with_mistake(line: str, random: Random, language: str) -> str:
    words = line.split()
    place = random.randrange(len(words))
    match random.randrange(10):
        case 0 | 1 | 2:
            words[place] = _slip(words[place], random)
        case 3:
            del words[place if _is_free(words, place) else place - 1]
        case 4:
            extra = random.choice((*_EXTRA[language], *(word for word in words if word[:2] != "--")))
            words.insert(random.choice([at for at in range(len(words) + 1) if _is_free(words, at)]), extra)
        case 5:
            if not any(word.startswith("--") for word in words):
                random.shuffle(words)
        case 6:
            words[place] = random.choice(_FOREIGN)
        case 7:
            words = [*_wrong_numbers(words, random)]
        case 8:
            words[place] = "Zoe"
        case _:
            free = [at for at in range(1, len(words) + 1) if _is_free(words, at)]
            words.insert(random.choice(free), random.choice(_OPTIONS))
    return " ".join(words)


def _is_free(words: Sequence[str], at: int) -> bool:
    """Return whether a word may stand here without becoming the value of an option."""
    return at == 0 or not words[at - 1].startswith("--")


def _slip(word: str, random: Random) -> str:
    """Return a word with a letter missing, doubled, wrong or swapped with its neighbor."""
    place = random.randrange(max(1, len(word) - 1))
    before, letter, after = word[:place], word[place], word[place + 1 :]
    new = str(random.randint(0, 9)) if letter.isdecimal() else random.choice(LETTERS)
    return random.choice(
        (
            before + after or "z",
            before + letter + letter + after,
            before + new + after,
            before + after[:1] + letter + after[1:],
        )
    )


def _wrong_numbers(words: Sequence[str], random: Random) -> Iterator[str]:
    for word in words:
        yield str(random.randint(0, 99)) if word.isdecimal() else word
    yield from [] if any(word.isdecimal() for word in words) else [str(random.randint(0, 99))]
