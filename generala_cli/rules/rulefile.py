"""A rule set as a TOML file spells it: read table by table, with every error at its place, and written.

A table is read key by key as the Struct whose fields its keys are, so that all the wrong ones are reported.
"""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from re import sub
from typing import Any, TypeVar, get_args

from msgspec import NODEFAULT, UNSET, Struct, ValidationError, convert, inspect, structs, to_builtins

from generala_cli.messages import Listed, Message, listing, tell, tell_count
from generala_cli.rules.checking import Problem, category_place, is_id, shown, unplayable, unsound
from generala_cli.rules.patterns import AnyDice, Asked, Pattern
from generala_cli.rules.ruleset import (
    MOST_POINTS,
    Category,
    InstantWin,
    LongText,
    Name,
    RuleSet,
    ShortName,
    Throw,
    Title,
    UpperBonus,
)

FORMAT = 1

_PATTERNS: dict[str, type[Asked]] = {pattern.__struct_config__.tag: pattern for pattern in get_args(Pattern)}
_KEYS = {tag: [field.encode_name for field in structs.fields(kind)] for tag, kind in _PATTERNS.items()}
_BY_LANGUAGE: Mapping[str, object] = {
    "names": Name,
    "shorts": ShortName,
    "titles": Title,
    "summaries": LongText,
}
"""Keys of tables whose own keys are languages, `names.es`, and what each holds."""
_MUST_BE_TABLE = tell("must be a table of keys")
_MOST_TOLD = 20
"""To look for the nearest key takes time, and nobody reads on after so many errors."""

Record = TypeVar("Record", bound=Struct)


def check_rules(document: object) -> tuple[RuleSet | None, list[Problem]]:
    """The rule set in a document, and every error in it, of form and of sense."""
    rules, problems = read_rules(document)
    return rules, problems if rules is None else [*problems, *unplayable(rules)]


def read_rules(document: object) -> tuple[RuleSet | None, list[Problem]]:
    """The same, but what hands can make is not looked into; no rule set where there are errors."""
    if not isinstance(document, Mapping):
        return None, [Problem("", _not(_MUST_BE_TABLE, document))]
    problems: list[Problem] = []
    below: list[Problem] = []
    top = {key: value for key, value in document.items() if key != "format"}
    if type(document.get("format")) is not int or document["format"] != FORMAT:  # true equals 1
        problems.append(_wrong(document, "format", "format", tell("must be {format}", format=FORMAT)))
    for key, record in (("instant_win", InstantWin), ("upper_bonus", UpperBonus)):
        if key in top and (found := read_table(top.pop(key), record, key, below)):
            top[key] = found
    lines = _read_categories(document, below)
    names = _read_throw_names(document.get("throw_names", {}), below)
    rules = read_table({**top, "throw_names": names, "category": lines}, RuleSet, "", problems)
    problems += below
    if rules is None or problems:
        return None, [*problems, *_sense_of_the_rest(document, lines, problems)]
    problems += unsound(rules)
    return None if problems else rules, problems


def _sense_of_the_rest(
    document: Mapping[str, object], lines: tuple[Category, ...], problems: list[Problem]
) -> list[Problem]:
    """What is wrong with the categories that could be read, where it is known what dice there are."""
    faulty = {problem.place.partition(":")[0] for problem in problems}
    if {"dice", "faces"} & faulty:
        return []
    known: Any = {"dice": document["dice"], "faces": document["faces"], "lines": lines}
    rules = RuleSet(name="x", title="x", source="x", throws=1, **known)
    places = {category_place(number, line.id) for number, line in enumerate(lines, start=1)} - faulty
    found = [problem for problem in unsound(rules) if problem.place.partition(":")[0] in places]
    unmade = places - {problem.place.partition(":")[0] for problem in found}
    return [*found, *(problem for problem in unplayable(rules) if problem.place in unmade)]


def read_table(table: object, record: type[Record], place: str, problems: list[Problem]) -> Record | None:
    """The record that a table spells, or None where there are problems, which are added to the others.

    Args:
        table: what was found at the place; its keys are the record's fields, as the record renames them.
    """
    before = len(problems)
    if not isinstance(table, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, table)))
        return None
    fields = {field.encode_name: field for field in structs.fields(record)}
    values: dict[str, object] = {}
    for key, field in fields.items():
        inside = f"{place}: {key}" if place else key
        if key in table and key in _BY_LANGUAGE:
            values[field.name] = _read_by_language(table[key], key, inside, problems)
        elif key in table:
            values[field.name] = _read_value(table[key], field.type, inside, problems)
        elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
            problems.append(_wrong(table, key, inside, _must(inspect.type_info(field.type))))
    _report_unknown(table, fields, place, problems)
    return record(**values) if len(problems) == before else None


def _read_value(value: object, kind: Any, place: str, problems: list[Problem]) -> Any:
    """The value as that type; there is no None in a file."""
    try:
        if value is not None:
            return convert(value, kind)
    except ValidationError:
        pass
    problems.append(Problem(place, _not(_must(inspect.type_info(kind)), value)))
    return None


def _read_by_language(texts: object, key: str, place: str, problems: list[Problem]) -> object:
    """The texts of a table by languages, as pairs; whether those are any is asked by `unsound`."""
    if not isinstance(texts, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, texts)))
        return UNSET
    read = []
    for code, text in texts.items():
        inside = f"{place}.{code if is_id(code) else shown(code)}"
        read.append((code, _read_value(text, _BY_LANGUAGE[key], inside, problems)))
    return tuple(read) or UNSET


def _wrong(table: Mapping[str, object], key: str, place: str, must: Message) -> Problem:
    """That a key is missing, or holds what it must not."""
    return Problem(
        place, _not(must, table[key]) if key in table else tell("is missing; it {must}", must=must)
    )


def _not(must: Message, value: object) -> Message:
    """What it must be, and what it is."""
    return tell("{must}, not {value}", must=must, value=shown(value))


def _report_unknown(
    table: Mapping[str, object], known: Collection[str], place: str, problems: list[Problem]
) -> None:
    """Add every key of a table that is not known, with the nearest that could be meant."""
    for key in table:
        if key not in known:
            near = get_close_matches(key[:100], known, n=1) if len(problems) < _MOST_TOLD else []
            fault = (
                tell("unknown key {key}; did you mean {near!r}?", key=shown(key), near=near[0])
                if near
                else tell("unknown key {key}", key=shown(key))
            )
            problems.append(Problem(place, fault))


def problem_lines(problems: Sequence[Problem]) -> list[Message]:
    """The problems as lines for people: the first of them, and how many more there are."""
    more = len(problems) - _MOST_TOLD
    lines = [problem.told for problem in problems[:_MOST_TOLD]]
    return [*lines, *([tell_count("and {count:,} more", "and {count:,} more", more)] if more > 0 else [])]


def _must(kind: inspect.Type) -> Message:
    """What a value of a type must be, as `must be a whole number from 1 to 9`."""
    match kind:
        case inspect.IntType(ge=low, le=high):
            return tell("must be a whole number from {low} to {high}", low=low, high=high)
        case inspect.StrType(max_length=None):
            return tell("must be a text")
        case inspect.StrType(min_length=low, max_length=high):
            return tell("must be a text of {low} to {high} characters", low=low or 0, high=high)
        case inspect.BoolType():
            return tell("must be true or false")
        case inspect.LiteralType():
            return tell("must be {choices}", choices=_choices(kind))
        case inspect.VarTupleType(item_type=item):
            return _must_list(item)
        case inspect.UnionType(types=types):
            return _must_either([one for one in types if not isinstance(one, inspect.NoneType)])
        case _:
            return _MUST_BE_TABLE


def _must_list(item: inspect.Type) -> Message:
    """The same, where it is a list of such."""
    match item:
        case inspect.IntType(ge=low, le=high):
            return tell("must be a list of whole numbers from {low} to {high}", low=low, high=high)
        case inspect.StrType(min_length=low, max_length=int(high)):
            return tell("must be a list of texts of {low} to {high} characters", low=low or 0, high=high)
        case inspect.StrType():
            return tell("must be a list of texts")
        case _:
            return tell("must be a list of pairs of texts")


def _must_either(types: Sequence[inspect.Type]) -> Message:
    """The same, of a value that may be of several types: a list of texts or fixed words (straights)."""
    match types:
        case [inspect.VarTupleType(), inspect.LiteralType() as words]:
            return tell("must be a list of texts or {choices}", choices=_choices(words))
        case _:
            return _must(types[0])


def _choices(kind: inspect.LiteralType) -> Listed:
    return listing(f'"{value}"' for value in sorted(map(str, kind.values)))


def _read_categories(document: Mapping[str, object], problems: list[Problem]) -> tuple[Category, ...]:
    """The categories; one that cannot be read is stood in for, so that the others keep their places."""
    found = document.get("category")
    if not isinstance(found, list):
        problems.append(_wrong(document, "category", "category", tell("must be a list of tables")))
        return ()
    lines: list[Category] = []
    for number, table in enumerate(found, start=1):
        name = table.get("id") if isinstance(table, Mapping) else None
        read = _read_category(table, category_place(number, name), lines, problems)
        lines.append(read or Category(id=str(name), name=f"category {number}", asks=(AnyDice(),)))
    return tuple(lines)


def _read_category(
    table: object, place: str, above: Sequence[Category], problems: list[Problem]
) -> Category | None:
    if not isinstance(table, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, table)))
        return None
    before = len(problems)
    tags = [tag for tag in _PATTERNS if tag in table]
    asks = [
        read_table({key: table[key] for key in _KEYS[tag] if key in table}, _PATTERNS[tag], place, problems)
        for tag in tags
    ]
    if not asks:
        fault = tell("must ask something of a hand: {patterns}", patterns=listing(_PATTERNS))
        problems.append(Problem(place, fault))
    own = [field.encode_name for field in structs.fields(Category) if field.name != "asks"]
    plain = {key: table[key] for key in own if key in table and key != "points"}
    category = read_table({**plain, "asks": (AnyDice(),)}, Category, place, problems)
    points = _read_points(table, f"{place}: points", above, problems)
    known = [*own, *_PATTERNS, *(key for tag in tags for key in _KEYS[tag])]
    _report_unknown(table, known, place, problems)
    if category is None or len(problems) > before:
        return None
    return structs.replace(category, asks=tuple(asks), points=points)


def _read_points(
    table: Mapping[str, object], place: str, above: Sequence[Category], problems: list[Problem]
) -> int | None:
    """None where the dice are summed; what comes after another and says nothing pays twice that."""
    points = table.get("points")
    is_number = "number" in table  # then any price is refused by `unsound`
    if "points" not in table and (is_number or "after" in table):
        price = next((line.points for line in above if line.id == table.get("after")), None)
        return 2 * price if price and not is_number else None
    if points == "sum":
        return 1 if is_number else None
    if type(points) is int and 1 <= points <= MOST_POINTS:
        return points
    must = tell('must be a number of points from 1 to {most} or "sum" (of all dice)', most=MOST_POINTS)
    problems.append(_wrong(table, "points", place, must))
    return None


def _read_throw_names(names: object, problems: list[Problem]) -> tuple[tuple[str, int], ...]:
    if not isinstance(names, Mapping):
        problems.append(Problem("throw_names", _not(_MUST_BE_TABLE, names)))
        return ()
    read = []
    for name, throw in names.items():
        place = f"throw_names: {name if is_id(name) else shown(name)}"
        read.append((name, _read_value(throw, Throw, place, problems) or 1))
    return tuple(read)


def rules_document(rules: RuleSet) -> dict[str, object]:
    """The document that `read_rules` reads as this rule set."""
    first = ("name", "title", "titles", "summary", "summaries", "source", "dice", "faces", "throws")
    then = ("fill_order", "opening_throws", "clockwise")
    stated = {key: _built(key, value) for key in first + then if (value := getattr(rules, key)) is not UNSET}
    document = {"format": FORMAT, **stated}
    document["throw_names"] = dict(rules.throw_names)
    document["category"] = [_category_document(line) for line in rules.lines]
    if rules.settings:
        document["settings"] = [list(setting) for setting in rules.settings]
    for key in ("instant_win_points", "instant_win", "upper_bonus"):
        if (value := getattr(rules, key)) is not None:
            document[key] = _spelled(value) if isinstance(value, Struct) else value
    return document


def rules_toml(rules: RuleSet) -> str:
    """The text of a rule file, its categories last."""
    import tomli_w  # only where rules are written

    document = rules_document(rules)
    categories = {"category": document.pop("category")}
    stated = {key: value for key, value in document.items() if value not in ("", {})}
    text = tomli_w.dumps(_dotted(stated | categories), multiline_strings=False)
    return sub(rf'(?m)^"({"|".join(_BY_LANGUAGE)})\.([a-z]+)" = "', r'\1.\2 = "', text)


def _dotted(table: Mapping[str, Any]) -> dict[str, object]:
    """The table with `names.es` in a line of its own, for those below it to follow as its other keys do."""
    spelled: dict[str, object] = {}
    for key, value in table.items():
        if key in _BY_LANGUAGE:
            spelled |= {f"{key}.{code}": text for code, text in value.items()}
        elif key == "category":
            spelled[key] = [_dotted(line) for line in value]
        else:
            spelled[key] = _dotted(value) if key == "instant_win" else value
    return spelled


def _category_document(line: Category) -> dict[str, object]:
    document = _spelled(line)
    called = ("id", "name", "names", "short", "shorts", "aliases")
    names = {key: document.pop(key) for key in called if key in document}
    asks: dict[str, object] = {}
    for pattern in line.asks:
        asks |= _spelled(pattern, str(pattern.__struct_config__.tag))
    points = {} if line.number is not None else {"points": "sum" if line.points is None else line.points}
    rest = {key: value for key, value in document.items() if key not in ("asks", "points")}
    return names | asks | points | rest


def _spelled(record: Struct, always: str = "") -> dict[str, object]:
    """What a file says of a record: what is not its default anyway."""
    return {
        field.encode_name: _built(field.encode_name, value)
        for field in structs.fields(record)
        if (value := getattr(record, field.name)) != field.default or field.encode_name == always
    }


def _built(key: str, value: Any) -> object:
    """A value as a document holds it; texts by languages are a table."""
    return dict(value) if key in _BY_LANGUAGE else to_builtins(value)
