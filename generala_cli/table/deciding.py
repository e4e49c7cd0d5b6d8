import shutil
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import TypeVar

from msgspec.structs import replace

from generala_cli.cli.output import note
from generala_cli.cli.prompts import ask_yes, reply_to
from generala_cli.cli.session import Session
from generala_cli.errors import FileError, GeneralaError, Interrupted, NotAllowed, NotFound, UsageError
from generala_cli.game.amending import turn_entry
from generala_cli.game.decisions import Choice, Undecided
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse_box
from generala_cli.messages import LEAVING, Message, lazy, listing, value_message
from generala_cli.remedies import Remedy
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translated
from generala_cli.render.lines import entry_text, latest_turns
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.store.store import GameMovedOn
from generala_cli.table import turns
from generala_cli.table.results import Entered
from generala_cli.text import NO_BREAK, find_word, safe

Answered = TypeVar("Answered")
_LONGEST_NUMBER = 9


def enter_or_ask(session: Session, line: TurnLine) -> Entered:
    """Enter a turn. If its box is unclear, ask. Raises Interrupted if the user chooses nothing."""
    try:
        return turns.enter(session.store, line, dry_run=session.dry_run)
    except Undecided as undecided:
        stored = session.store.open(None)
        game, turn = stored.game, undecided.turn  # with its player, because another may be next meanwhile
        assert turn.player is not None
        reply = _chosen(undecided, game.fillable_categories(turn.player), game.rules)
        store = replace(session.store, named=str(stored.number))  # even if the current game changes
        chosen = replace(
            turn,
            category=reply.category,
            is_scratch=reply.is_scratch,
            roll=reply.roll or turn.roll,
            served=turn.served if reply.served is None else reply.served,
        )
        entered = turns.enter(store, chosen, dry_run=session.dry_run)
        return replace(entered, alternatives=())  # the question has just shown them


def amend_by_asking(session: Session, line: TurnLine, *, scratched: bool) -> Entered:
    """Correct a turn. Ask which turn and, if the command does not say it, what it really was."""
    stored = session.store.open(None)
    game = stored.game
    # The game as shown: the turns may change while the user answers.
    store = replace(session.store, named=str(stored.number), seen=len(stored.file.events))
    note("".join(f"{turn}\n" for turn in latest_turns(game)))

    def turn_and_rest(reply: str) -> tuple[int, str]:
        word, _, rest = reply.partition(" ")
        if not (word.isascii() and word.isdecimal()):
            what = lazy("{word!r} is not a turn", word=word) if word else lazy("nothing was chosen")
            raise UsageError(what, "type the number of a turn, or press Ctrl-C to cancel")
        number = int(word[:_LONGEST_NUMBER])
        turn_entry(game, number)  # refuses a turn that does not exist
        return number, rest

    last, leaving = len(game.entries), lazy("Ctrl-C cancels, and nothing changes")
    number, rest = _answer(
        lazy("Which turn? Type its number, or ? for help:"),
        lazy("Which turn?"),
        turn_and_rest,
        [
            lazy(
                "type the number of a turn, and the correction if you like, as in {line}",
                line=f"{last} 55532",
            ),
            leaving,
        ],
    )

    def corrected(reply: str) -> Entered:
        words = (*line.words, *reply.split())
        return turns.amend(
            store, number, replace(line, words=words), scratched=scratched, dry_run=session.dry_run
        )

    if scratched or line != TurnLine():
        return corrected(rest)
    entry = entry_text(game, game.entries[number - 1])
    return _answer(
        lazy("Turn {turn}, {entry}. What was it really? Type ? for help:", turn=number, entry=entry),
        lazy("What was it really?"),
        corrected,
        [
            lazy(
                "type only the changes: dice, throw, box or player; for example 55532, fives or 55532 1 fives"
            ),
            lazy("x makes it a scratch"),
            leaving,
        ],
        typed=rest,
    )


def _chosen(undecided: Undecided, fillable: Sequence[Category], rules: RuleSet) -> Turn:
    choices, turn = undecided.choices, undecided.turn
    player, dice = turn.player, "".join(map(str, turn.dice or ()))
    if not choices and len(fillable) == 1 and not turn.is_scratch:
        question = lazy(
            "{player} {dice}: nothing made; scratch {category}?",
            player=player,
            dice=dice,
            category=fillable[0],
        )
        if ask_yes(question):
            return Turn(category=fillable[0], is_scratch=True)
        raise Interrupted("nothing was chosen", "nothing was changed")
    return _answer(
        _question(choices, player, dice, fillable, is_scratch=turn.is_scratch),
        lazy("{player} {dice}:", player=player, dice=dice) if dice else lazy("{player}:", player=player),
        lambda reply: _understood(reply, choices, fillable, rules, None if turn.is_scratch else turn.dice),
        [*_explanation(choices, fillable)],
    )


def _question(
    choices: Sequence[Choice],
    player: str | None,
    dice: str,
    fillable: Sequence[Category],
    *,
    is_scratch: bool,
) -> Message:
    if choices:
        shown = (f"{translated(choice.category)} {choice.points}" for choice in choices)
        return lazy(
            "{player} {dice}: {choices}; x and a box to scratch it, or ? for help:",
            player=player,
            dice=dice,
            choices=", ".join(choice.replace(" ", NO_BREAK) for choice in shown),
        )
    boxes = listing(fillable)
    if is_scratch:
        return lazy("{player}: scratch which box? {categories}:", player=player, categories=boxes)
    return lazy(
        "{player} {dice}: nothing made; scratch {categories}:", player=player, dice=dice, categories=boxes
    )


def _answer(
    question: Message,
    again: Message,
    understand: Callable[[str], Answered],
    explanation: Sequence[Message],
    typed: str = "",
) -> Answered:
    """Ask until `understand` accepts the reply (the first may be `typed`); `?` shows the explanation."""
    asked = question
    while True:
        reply = typed or reply_to(f"{_wrapped(asked)} ").strip()
        asked, typed = again, ""
        if reply == "?":
            for line in explanation:
                note(f"{_wrapped(line)}\n")
            continue
        if find_word(reply, {True: LEAVING}):  # even if `q` begins the name of a box
            raise Interrupted("nothing was chosen", "nothing was changed")
        try:
            return understand(reply)
        except (FileError, GameMovedOn):  # a different reply would not help
            raise
        except GeneralaError as error:
            note(f"{_wrapped(value_message(translated(full_message(error, SCREEN))))}\n")


def _explanation(choices: Sequence[Choice], fillable: Sequence[Category]) -> Iterator[Message]:
    if choices:
        made = listing(choice.category for choice in choices)
        yield lazy("type a box or the start of its name: {choices}", choices=made)
        yield lazy(
            "type x and a box to scratch it, as in x {example}; open boxes: {categories}",
            example=fillable[0].typed,
            categories=listing(fillable, "and"),
        )
    else:
        yield lazy("type the box to scratch: {categories}", categories=listing(fillable))
    yield lazy("Ctrl-C cancels, and nothing is entered")


def _wrapped(message: Message) -> str:
    columns = max(20, shutil.get_terminal_size().columns)
    text = safe(translated(message)).replace(" ? ", f" ?{NO_BREAK}")
    lines = wrap(text, columns - 1, break_long_words=False)
    return "\n".join(lines).replace(NO_BREAK, " ")


def _understood(
    reply: str,
    choices: Sequence[Choice],
    fillable: Sequence[Category],
    rules: RuleSet,
    hand: Dice | None,
) -> Turn:
    if not reply:
        raise NotFound("nothing was chosen", "type a name, or press Ctrl-C to cancel")
    try:
        named = parse_box(reply, rules, hand if choices else None)
    except NotFound as error:
        match error.hint:  # all boxes are on the screen, so the only useful hint is a suggestion
            case Remedy("did-you-mean") as hint:
                raise NotFound(error.message, hint) from error
            case _:
                raise NotFound(error.message, "type ? to list the boxes") from error
    category, is_scratch = named.category, named.is_scratch or not choices
    assert category is not None
    if category not in fillable:
        raise NotAllowed("{category} is not open", category=category)
    if not is_scratch and category not in [choice.category for choice in choices]:
        what = lazy("the hand is not {category}", category=category)
        raise NotAllowed(what, lazy("x {category} scratches it", category=category.typed))
    return replace(named, is_scratch=is_scratch)
