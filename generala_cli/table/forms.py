from collections.abc import Callable, Sequence

from generala_cli.game.amending import turn_entry
from generala_cli.game.turnline import TurnLine
from generala_cli.messages import NO, YES, number_range
from generala_cli.render import lines
from generala_cli.render.forms import Field, Form, Values, payout_in, stake_fields
from generala_cli.render.language import first_word, translate, translated
from generala_cli.render.lines import de_mano_throw, entry_words, throw_shown
from generala_cli.rules.dice import print_dice
from generala_cli.store.store import Store, StoredGame
from generala_cli.table import turns
from generala_cli.table.results import TableChanged
from generala_cli.table.turns import CheckName
from generala_cli.text import find_word, name_key, safe

Correct = Callable[[int, TurnLine, bool], str]
"""Corrects a turn to the typed line, or to a scratch, and returns the new entry as text."""


def correction(stored: StoredGame, turn: int, correct: Correct) -> Form:
    game = stored.game
    entry = turn_entry(game, turn)
    boxes = tuple(translated(category.typed) for category in game.rules.categories)
    box = translated(game.rules.category(entry.category).typed) if entry.category else ""
    throws = translate(
        "the throw that finished the hand, {throws}", throws=number_range(1, game.rules.throws)
    )
    de_mano = de_mano_throw(game.rules)
    seats, scratched = game.seats, first_word(YES if entry.scratched else NO)
    hand = print_dice(entry.dice or ())
    fields = (
        Field(
            key="dice",
            label=translate("dice"),
            value=hand,
            about=translate("the hand, such as 5 5 5 3 3"),
            kind="digits",
        ),
        Field(
            key="throw",
            label=translate("throw", context="label"),
            value=throw_shown(entry),
            about=f"1, 2, {de_mano}" if de_mano else throws,
            kind="text" if de_mano else "digits",
        ),
        Field(
            key="box", label=translate("box"), value=box, about=", ".join(boxes), offers=boxes, kind="choice"
        ),
        Field(
            key="player",
            label=translate("player"),
            value=entry.player,
            about=safe(", ".join(seats)),
            offers=seats,
            kind="choice",
        ),
        Field(
            key="scratch",
            label=translate("scratch", context="label"),
            value=scratched,
            about=translate("yes or no"),
            offers=(first_word(NO), first_word(YES)),
            kind="choice",
        ),
    )

    def send(values: Values) -> str:
        line = TurnLine(
            words=values["dice"].split(),
            roll=values["throw"] or None,
            category=values["box"] or None,
            player=values["player"] or None,
        )
        is_yes = find_word(values["scratch"], {True: YES, False: NO}) is True
        has_new_dice = bool(values["dice"]) and values["dice"] != hand
        # New dice turn a scratch into a score, as in the shell, unless `yes` was just typed.
        return correct(turn, line, is_yes and not (entry.scratched and has_new_dice))

    was = entry_words(game, entry)
    who = safe(entry.player)
    title = translate("Correct turn {turn}: {player}, {entry}", turn=turn, player=who, entry=was)
    return Form(title=title, fields=fields, send=send, question=translate("Correct it?"))


def joining(store: Store, check: CheckName, *, present: Sequence[str] = ()) -> Form:
    game = store.open(None).game
    playing = {name_key(player) for player in game.playing}
    offers = [name for name in (*game.left, *present) if name_key(name) not in playing]
    field = Field(
        key="player",
        label=translate("player"),
        offers=tuple(dict.fromkeys(offers)),
        about=translate("a name"),
    )
    return Form(
        title=translate("Who joins?"),
        fields=(field,),
        send=lambda values: _changed(turns.join(store, values["player"], check=check)),
    )


def leaving(store: Store) -> Form:
    playing = store.open(None).game.playing
    return Form(
        title=translate("Who goes home? Their points count"),
        fields=(_player_field(playing),),
        send=lambda values: _changed(turns.leave(store, values["player"])),
    )


def ending(store: Store) -> Form:
    store.open(None)
    title = translate("End the game now? Open boxes count 0")
    return Form(title=title, fields=(), send=lambda _: _changed(turns.end(store)))


def renaming(store: Store, check: CheckName) -> Form:
    fields = (
        _player_field(store.open(None).game.seats),
        Field(key="name", label=translate("name"), about=translate("a name")),
    )
    return Form(
        title=translate("Whose name changes?"),
        fields=fields,
        send=lambda values: _changed(turns.rename(store, values["player"], values["name"], check=check)),
    )


def staking(store: Store) -> Form:
    agreed = store.open(None).game.agreed
    return Form(
        title=translate("What is the stake?"),
        fields=tuple(stake_fields(stake=agreed.stake, unit=agreed.unit, payout=agreed.payout)),
        send=lambda values: _changed(
            turns.stake(store, values["stake"], unit=values["unit"], payout=payout_in(values))
        ),
        question=translate("Change the stake of the whole game?"),
        confirm=translate("change the stake"),
    )


def _player_field(players: Sequence[str]) -> Field:
    return Field(key="player", label=translate("player"), offers=tuple(players), kind="choice")


def _changed(changed: TableChanged) -> str:
    return lines.change_text(changed.change)
