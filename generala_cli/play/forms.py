"""Forms over the table: a new game, and the correction of an entry. Enter sends them, Escape leaves them."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from generala_cli.app.defaults import read_defaults
from generala_cli.app.naming import NameContext, doubt_names
from generala_cli.app.rule_sets import load_rules
from generala_cli.errors import GeneralaError
from generala_cli.game.amending import turn_entry
from generala_cli.game.money import METHODS, POINT
from generala_cli.game.turnline import TurnLine
from generala_cli.games import starting
from generala_cli.messages import NO, YES, Message, lazy, words_for
from generala_cli.play.layout import hint_line
from generala_cli.play.screen import LeaveTable
from generala_cli.play.table import Table
from generala_cli.render.hints import SCREEN, told
from generala_cli.render.language import first_word, translate, translated
from generala_cli.render.lines import entry_parts
from generala_cli.render.screen import ASCII, Marks, Screen
from generala_cli.rulebook.listing import rule_list
from generala_cli.rules.dice import print_dice
from generala_cli.store.game_lists import known_players
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.places import config_file
from generala_cli.store.store import Store
from generala_cli.text import find_word, safe

_UNITS: Mapping[str, Message] = {POINT: words_for("the unit of points", "point, points")}
_METHODS: Mapping[str, Message] = {
    "difference": words_for("payout by difference", "difference"),
    "pairwise": words_for("payout in pairs", "pairwise"),
    "pot": words_for("payout of a pot", "pot"),
    "low-pays": words_for("payout by the lowest", "low-pays"),
}
"""The words for each payout method; the first is the one shown."""
_WITH_COMMA = lazy("{name} and a comma for someone called that")

Values = Mapping[str, str]
"""The text of each field, by its key."""


class Field(Struct, frozen=True, kw_only=True):
    """A line of a form.

    Attributes:
        key: its own among all fields. label: its name. value: its text at first. about: what may be typed.
        offers: words that are offered as endings for the word being typed.
    """

    key: str
    label: str
    value: str = ""
    about: str = ""
    offers: Sequence[str] = ()


class Rows(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The fields, of which the one being typed in is visible; the arrows go to the next and do not scroll."""


class Form(ModalScreen[str | None]):
    """A form: fields below each other. It is dismissed with the text that `send` returns, or None.

    Args:
        title: what it is for. fields: from above, the first one typed in first.
        send: acts on the values and returns a message; where it raises, the refusal is shown.
        marks: what the terminal can show.
    """

    DEFAULT_CSS = """
    Form { background: ansi_default; }
    Form > Rows { height: 1fr; }
    Form Horizontal { height: 1; }
    Form Input { width: 1fr; border: none; height: 1; padding: 0; background: ansi_default; }
    Form Input:focus { text-style: bold; }
    Form Input > .input--suggestion { text-style: italic dim not bold; }
    Form .line { height: auto; max-height: 3; }
    Form #about { height: auto; }
    Form .keys { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("down", "app.focus_next", "Next"),
        Binding("up", "app.focus_previous", "Previous"),
        Binding("ctrl+c", "interrupt", "Leave", priority=True),
    ]

    def __init__(
        self, title: str, fields: Sequence[Field], send: Callable[[Values], str], marks: Marks
    ) -> None:
        super().__init__()
        self._marks = marks
        self._title = title
        self._fields = fields
        self._send = send

    def compose(self) -> ComposeResult:
        """Yield a title, a row for each field, what may be typed there, and what was refused."""
        column = max(_LABELS, 1 + max(cell_len(field.label) for field in self._fields))
        yield Static(Text(self._title, "bold"), classes="line")
        with Rows():
            for place, field in enumerate(self._fields):
                with Horizontal():
                    label = Static(Text(field.label), classes="label")
                    label.styles.width = column
                    yield label
                    offers = WordSuggester(field.offers) if field.offers else None
                    yield Input(field.value, id=f"field{place}", suggester=offers, compact=True)
            about = Static(id="about")
            about.styles.padding = (0, 0, 0, column)
            yield about
        yield Static(classes="line", id="refusal")
        yield Static(classes="keys", id="keys")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show below the field what may be typed there."""
        place, row = int((event.widget.id or "field0").removeprefix("field")), event.widget.parent
        assert isinstance(row, Horizontal)
        about = self.query_one("#about", Static)
        about.update(Text(self._fields[place].about, "dim"))
        self.query_one(Rows).move_child(about, after=row)
        self.call_after_refresh(self._show_field, about, row)

    def _show_field(self, about: Static, row: Horizontal) -> None:
        """Scroll the field to where it is seen, with what is below it."""
        for part in (about, row):
            self.query_one(Rows).scroll_to_widget(part, animate=False)
        self.call_after_refresh(self._place_cursor)

    def on_resize(self) -> None:
        """Show as many keys as there is room for; the cursor has another place too."""
        screen = Screen(width=self.size.width, color=True, marks=self._marks)
        keys = hint_line(_keys(self._marks), screen)
        self.query_one("#keys", Static).update(Text(keys, "dim", no_wrap=True))
        self.call_after_refresh(self._place_cursor)

    def _place_cursor(self) -> None:
        """Put the terminal's own cursor where the next character goes."""
        if isinstance(self.focused, Input):
            self.app.cursor_position = self.focused.cursor_screen_offset
            self.refresh()

    async def on_input_submitted(self) -> None:
        """Send the values, or show the refusal."""
        inputs = self.query(Input)
        values = {field.key: each.value.strip() for field, each in zip(self._fields, inputs, strict=True)}
        try:
            done = await asyncio.to_thread(self._send, values)
        except GeneralaError as error:
            why = "; ".join(map(safe, (translated(told(error, SCREEN)), *map(translated, error.details))))
            self.query_one("#refusal", Static).update(Text(f"! {why}", "bold"))
            self.app.bell()
        else:
            self.dismiss(done)

    def action_interrupt(self) -> None:
        """Leave the table."""
        self.post_message(LeaveTable(130))

    def action_leave(self) -> None:
        """Go back to the table, with nothing done."""
        self.dismiss(None)


_LABELS = 10
"""Columns of the labels, where none is longer."""


def _keys(marks: Marks) -> Sequence[str]:
    if marks is ASCII:
        return (
            translate("Enter done"),
            translate("Esc back"),
            translate("arrows: fields, right takes what is offered"),
        )
    return (
        translate("Enter done"),
        translate("Esc back"),
        translate("↑↓ fields"),
        translate("→ takes what is offered"),
    )


class WordSuggester(Suggester):
    """Offers the rest of the word that is being typed, the last one behind a comma or a blank."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(case_sensitive=True)
        self._words = words

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole value with that word whole, or None."""
        for start in (value.rfind(",") + 1, max(value.rfind(","), value.rfind(" ")) + 1):
            begun = value[start:].lstrip()
            if not begun or begun in self._words:  # `general` is a word, no start of `generala`
                continue
            for word in self._words:
                if word.startswith(begun):
                    return value + word[len(begun) :]
        return None


def new_game(store: Store, house_rules: HouseRules, marks: Marks) -> Form:
    """Return the form for a new game: names are enough, the rest is preset from config.toml."""
    chosen = {name: found.value for name, found in read_defaults(config_file()).items()}
    rule_sets = tuple(line.name for line in rule_list(house_rules).rules if line.problem is None)

    def send(values: Values) -> str:
        given = {**chosen, **{name: value for name, value in values.items() if value}}
        rules = load_rules(given["rules"], house_rules, bytes)
        names = names_in(values["players"])
        if "," not in values["players"]:
            doubt_names(names, NameContext(rules=rules, rule_sets=rule_sets), as_is=_WITH_COMMA)
        begun = starting.new(
            store,
            rules,
            names,
            settings=values["options"].split(),
            teams=names_in(values["sides"]),
            openings=values["openings"].split(),
            stake=given["stake"],
            unit=find_word(given["unit"], _UNITS) or given["unit"],
            payout=find_word(given["payout"], _METHODS) or given["payout"],
            label=values["name"],
        )
        return str(begun.stored.number)

    fields = tuple(_new_game_fields(known_players(store), rule_sets, chosen))
    return Form(translate("A new game: who plays?"), fields, send, marks)


def _new_game_fields(
    known: Sequence[str], rule_sets: Sequence[str], chosen: Mapping[str, str]
) -> Iterator[Field]:
    """Yield the fields for who plays what, and for what."""
    who = translate("names, a blank or a comma between")
    if known:
        who = translate("names, a blank or a comma between; earlier: {names}", names=safe(", ".join(known)))
    yield Field(key="players", label=translate("players"), about=who, offers=tuple(known))
    about = ", ".join(rule_sets)
    yield Field(
        key="rules", label=translate("rules"), value=chosen["rules"], about=about, offers=tuple(rule_sets)
    )
    about = translate("changes to the rules, as bonus=10 double-generala=yes")
    yield Field(key="options", label=translate("options"), about=about)
    yield Field(
        key="stake", label=translate("stake"), value=chosen["stake"], about=translate("an amount, as 0.05")
    )
    about = translate("a currency or a word, as USD or drink")
    unit, payout = chosen["unit"], chosen["payout"]
    unit = first_word(_UNITS[unit]) if unit in _UNITS else unit
    yield Field(key="unit", label=translate("unit"), value=unit, about=about)
    methods = tuple(first_word(_METHODS[method]) for method in METHODS)
    payout = first_word(_METHODS[payout]) if payout in _METHODS else payout
    yield Field(
        key="payout", label=translate("payout"), value=payout, about=", ".join(methods), offers=methods
    )
    yield Field(
        key="sides", label=translate("sides"), about=translate("as Ana+Cora Beto+Dani; blank: everyone alone")
    )
    about = translate("opening throws, as Ana=55533 Beto=12345; the lowest begins")
    yield Field(key="openings", label=translate("openings"), about=about)
    yield Field(key="name", label=translate("name"), about=translate("what this game is called, if anything"))


def names_in(text: str) -> list[str]:
    """Return the names in a line: set apart by commas, or where there are none by blanks."""
    return [name.strip() for name in text.split(",") if name.strip()] if "," in text else text.split()


def correction(table: Table, turn: int, marks: Marks) -> Form:
    """Return the form that corrects the entry of a turn."""
    game = table.opened.game
    entry = turn_entry(game, turn)
    boxes = tuple(translated(category.typed) for category in game.rules.categories)
    box = translated(game.rules.category(entry.category).typed) if entry.category else ""
    throws = translate("the throw it was finished on, 1 to {last}", last=game.rules.throws)
    seats, scratched = game.seats, first_word(YES if entry.scratched else NO)
    hand = print_dice(entry.dice or ())
    fields = (
        Field(key="dice", label=translate("dice"), value=hand, about=translate("the hand, as 5 5 5 3 3")),
        Field(key="throw", label=translate("throw", context="label"), value=str(entry.roll), about=throws),
        Field(key="box", label=translate("box"), value=box, about=", ".join(boxes), offers=boxes),
        Field(
            key="player",
            label=translate("player"),
            value=entry.player,
            about=safe(", ".join(seats)),
            offers=seats,
        ),
        Field(
            key="scratch",
            label=translate("scratch", context="label"),
            value=scratched,
            about=translate("yes, or no"),
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
        # new dice make a scratch a score again, as in the shell, unless `yes` was typed just now
        table.correct(turn, line, scratched=is_yes and not (entry.scratched and has_new_dice))
        return table.message.text

    was = " ".join(entry_parts(game, entry))
    who = safe(entry.player)
    title = translate("Correct turn {turn}: {player}, {entry}", turn=turn, player=who, entry=was)
    return Form(title, fields, send, marks)
