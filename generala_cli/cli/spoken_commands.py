"""Commands as people say them: `se fue Mirta`, `pay Mirta to Lucho 100`, `--since last night`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from generala_cli.errors import UsageError
from generala_cli.messages import LANGUAGES, Message, lazy, words_for
from generala_cli.text import find_word, normalize

_SENTENCES: Mapping[str, Message] = {
    "leave": words_for("a sentence around the name of a player who leaves", "left, has left, is leaving"),
    "join": words_for("a sentence around the name of a player who joins", "is back, joins in, plays too"),
}
_TO = words_for("to, between payer and payee", "to")
_BECOMES = words_for("to, before a new name or a correction", "to, as, into")
_WAS = words_for("was, in a correction", "was, were")
_AMOUNT_LAST = lazy("the amount comes after the names")
_GAME = words_for("the game, before its number", "the, game")
LAST = words_for("the last entry", "last, the last, the last one, the last entry, the last turn, that")
_OF_TURN = {True: words_for("the turn, before its number", "the, turn")}
_TIME_OPTIONS = ("--since", "--until", "--date")


def said_command(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command of a sentence with a name before or after it, and the name; otherwise nothing."""
    if len(words) < 2:
        return ()  # and no catalogue is opened
    for command, phrase in _phrases():
        count = len(phrase)
        if count < len(words):
            if [*map(normalize, words[:count])] == phrase:
                return command, *words[count:]
            if [*map(normalize, words[-count:])] == phrase:
                return command, *words[:-count]
    return ()


def _phrases() -> Iterator[tuple[str, Sequence[str]]]:
    for language in LANGUAGES.understood():
        for command, sentences in _SENTENCES.items():
            for sentence in language.words(sentences):
                yield command, normalize(sentence).split()


def plain_arguments(command: str, arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments of a command without words that mean nothing, and with each time as one word."""
    given = [*arguments]
    is_to_name = command == "pay" and len(given) > 3 and not any(map(str.isdecimal, given[2]))
    if is_to_name and find_word(given[1], {True: _TO}):
        del given[1]
    if command in {"join", "leave"} and len(given) > 1 and find_word(given[0], {True: _TO}):
        del given[0]
    while command in ("use", "delete") and len(given) > 1 and find_word(given[0], {True: _GAME}):
        del given[0]
    if command == "rename" and len(given) > 2 and find_word(given[0], {True: _TO}):
        del given[0]
    while command == "amend" and len(given) > 1 and given[0].isalpha() and find_word(given[0], _OF_TURN):
        del given[0]
    if command == "amend":
        given = [word for word in given if not (word.isalpha() and find_word(word, {True: _WAS}))]
    if command == "pay" and _has_early_amount(given):
        from generala_cli.cli.usage import payment  # not for a payment in the usual order

        raise UsageError(_AMOUNT_LAST, payment(given))
    is_to_value = command in ("rename", "amend") and len(given) > 2 and given[1] != "--as"
    if is_to_value and find_word(given[1], {True: _BECOMES}):
        del given[1]
    if command in ("games", "ledger") and len(given) > 1 and given[0].isalpha():
        from generala_cli.cli.usage import option_named  # not for a game by its number

        given[0] = option_named(given[0], ("--since", "--until", "--with")) or given[0]
    for place, word in enumerate(given):
        if word in _TIME_OPTIONS and _is_time(given[place + 1 : place + 3]):
            given[place + 1 : place + 3] = [" ".join(given[place + 1 : place + 3])]
    return given


def _has_early_amount(words: Sequence[str]) -> bool:
    """Return whether a number comes before the second name, and no digit later, as in `pay 5 Ana Beto`."""
    said = [*takewhile(lambda word: not word.startswith("-"), words)]
    is_early = any(word.replace(".", "").replace(",", "").isdecimal() for word in said[:2])
    return len(said) > 2 and is_early and not any(map(str.isdecimal, "".join(said[2:])))


def _is_time(words: Sequence[str]) -> bool:
    from generala_cli.store.game_lists import TIMES  # few commands have a time

    return len(words) == 2 and find_word(" ".join(words), TIMES) is not None
