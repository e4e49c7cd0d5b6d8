"""Rule sets as TOML files: reading with the place of every error, and writing.

A table is converted to its Struct key by key, so that all invalid keys are reported at once.
"""

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from re import ASCII, fullmatch
from typing import Annotated, Any, TypeVar, cast, get_args

from msgspec import NODEFAULT, UNSET, Meta, Struct, ValidationError, convert, inspect, structs, to_builtins

from generala_cli.file_versions import MINOR, FileVersion, minor_of
from generala_cli.messages import ItemList, Message, lazy, lazy_count, listing
from generala_cli.rules.boxes import shared_boxes, with_box
from generala_cli.rules.checking import (
    Problem,
    category_place,
    find_errors,
    find_impossible,
    show_key,
    show_value,
)
from generala_cli.rules.game_points import GamePoints
from generala_cli.rules.patterns import AnyDice, Pattern, PatternBase
from generala_cli.rules.ruleset import (
    MOST_POINTS,
    MOST_THROWS,
    Category,
    InstantWin,
    Joker,
    LongText,
    Name,
    RuleSet,
    ShortName,
    Throw,
    Title,
    UpperBonus,
    sum_and_more,
)

FORMAT = 1
_Minor = Annotated[int, Meta(ge=0, le=MINOR)]

_PATTERNS: dict[str, type[PatternBase]] = {
    pattern.__struct_config__.tag: pattern for pattern in get_args(Pattern)
}
_BY_LANGUAGE: Mapping[str, object] = {
    "names": Name,
    "shorts": ShortName,
    "titles": Title,
    "summaries": LongText,
}
"""Keys of translations, such as `names.es`, with the type of the text."""
_TABLES: Mapping[str, type[Struct]] = {
    "instant_win": InstantWin,
    "upper_bonus": UpperBonus,
    "joker": Joker,
    "game_points": GamePoints,
}
_READ_APART = ("asks", "added", "by_throw", "sums_what_makes_it")
_WHAT_MAKES_IT = "made"  # the value of `points` that sums only the matching dice
_MUST_BE_TABLE = lazy("must be a table of keys")
_MOST_SHOWN = 20
"""Errors. Suggestions take time, and more errors than this help no reader."""

Record = TypeVar("Record", bound=Struct)


def why_newer(document: Mapping[str, object]) -> Message | None:
    """Return why this program cannot read a rule file of a newer version, or None if it can."""
    try:
        return convert(document, FileVersion).why_newer(FORMAT)
    except ValidationError:
        return None


def check_rules(document: object) -> tuple[RuleSet | None, list[Problem]]:
    """Return the rule set in a document, or None if it is invalid, and every error in it."""
    rules, problems = read_rules(document)
    return rules, problems if rules is None else [*problems, *find_impossible(rules)]


def read_rules(document: object) -> tuple[RuleSet | None, list[Problem]]:
    """Do the same as `check_rules`, but without trying whether hands can match every category."""
    if not isinstance(document, Mapping):
        return None, [Problem("", _not(_MUST_BE_TABLE, document))]
    problems: list[Problem] = []
    below: list[Problem] = []
    top = {key: value for key, value in document.items() if key not in ("format", "minor")}
    if type(document.get("format")) is not int or document["format"] != FORMAT:  # true equals 1
        problems.append(
            _missing_or_wrong(document, "format", "format", lazy("must be {format}", format=FORMAT))
        )
    minor = _read_value(document.get("minor", 0), _Minor, "minor", problems)
    for key, record in _TABLES.items():
        if key in top and (found := read_table(top.pop(key), record, key, below)):
            top[key] = found
    read = _read_categories(document, below)
    lines = tuple(line for _, line in read)
    names = _read_throw_names(document.get("throw_names", {}), below)
    rules = read_table({**top, "throw_names": names, "category": lines}, RuleSet, "", problems)
    problems += below
    if rules is None or problems:
        return None, [*problems, *_more_problems(document, read, problems)]
    if (needed := minor_of(rules)) > minor:
        must = lazy("must be {format}", format=needed)
        problems.append(_missing_or_wrong(document, "minor", "minor", must))
    problems += find_errors(rules)
    return None if problems else rules, problems


def _more_problems(
    document: Mapping[str, object],
    read: Sequence[tuple[str | None, Category]],
    problems: Sequence[Problem],
) -> list[Problem]:
    if any(problem.place in ("dice", "faces") for problem in problems):
        return []
    lines = tuple(line for _, line in read)
    known: Any = {"dice": document["dice"], "faces": document["faces"], "lines": lines}
    rules = RuleSet(name="x", title="x", source="x", throws=1, **known)
    readable = {place for place, _ in read if place is not None}
    found = [problem for problem in find_errors(rules) if problem.category in readable]
    sound = readable - {problem.category for problem in found}
    to_try = tuple(
        line if place in sound else structs.replace(line, asks=(AnyDice(),)) for place, line in read
    )
    unmade = find_impossible(structs.replace(rules, lines=to_try))
    return [*found, *(problem for problem in unmade if problem.category in sound)]


def read_table(table: object, record: type[Record], place: str, problems: list[Problem]) -> Record | None:
    """Return the record in a table, or None if it is invalid; add errors to `problems`."""
    before = len(problems)
    if not isinstance(table, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, table)))
        return None
    fields = _fields_of(record)
    values: dict[str, object] = {}
    for key, field in fields.items():
        inside = f"{place}: {key}" if place else key
        if key in table and key in _BY_LANGUAGE:
            values[field.name] = _read_by_language(table[key], key, inside, problems)
        elif key in table:
            values[field.name] = _read_value(table[key], field.type, inside, problems)
        elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
            problems.append(_missing_or_wrong(table, key, inside, _must(inspect.type_info(field.type))))
    _report_unknown(table, fields, place, problems)
    return record(**values) if len(problems) == before else None


@cache  # msgspec computes them each time
def _fields_of(record: type[Struct]) -> Mapping[str, structs.FieldInfo]:
    return {field.encode_name: field for field in structs.fields(record)}


def _read_value(value: object, kind: Any, place: str, problems: list[Problem]) -> Any:
    try:
        if value is not None:  # a file has no None
            return convert(value, kind)
    except ValidationError:
        pass
    problems.append(Problem(place, _not(_must(inspect.type_info(kind)), value)))
    return None


def _read_by_language(texts: object, key: str, place: str, problems: list[Problem]) -> object:
    if not isinstance(texts, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, texts)))
        return UNSET
    read = []
    for code, text in texts.items():
        read.append((code, _read_value(text, _BY_LANGUAGE[key], f"{place}.{show_key(code)}", problems)))
    return tuple(read) or UNSET


def _missing_or_wrong(table: Mapping[str, object], key: str, place: str, must: Message) -> Problem:
    if key in table:
        return Problem(place, _not(must, table[key]))
    return Problem(place, lazy("is missing; it {must}", must=must))


def _not(must: Message, value: object) -> Message:
    return lazy("{must}, not {value}", must=must, value=show_value(value))


def _report_unknown(
    table: Mapping[str, object], known: Collection[str], place: str, problems: list[Problem]
) -> None:
    for key in table:
        if key in known:
            continue
        if near := _find_near(key, known, problems):
            fault = lazy("unknown key {key}; did you mean {near!r}?", key=show_value(key), near=near)
        else:
            fault = lazy("unknown key {key}", key=show_value(key))
        problems.append(Problem(place, fault))


def _find_near(key: str, known: Collection[str], problems: Sequence[Problem]) -> str | None:
    near = get_close_matches(key[:100], known, n=1) if len(problems) < _MOST_SHOWN else []
    return near[0] if near else None


def problem_lines(problems: Sequence[Problem]) -> list[Message]:
    lines = [problem.line for problem in problems[:_MOST_SHOWN]]
    if (more := len(problems) - _MOST_SHOWN) > 0:
        lines.append(lazy_count("and {count:,} more", "and {count:,} more", more))
    return lines


def _must(kind: inspect.Type) -> Message:
    """Return the requirement for a value of this type: `must be a whole number from 1 to 9`."""
    match kind:
        case inspect.IntType(ge=low, le=high):
            return lazy("must be a whole number from {low} to {high}", low=low, high=high)
        case inspect.StrType(max_length=None):
            return lazy("must be a string")
        case inspect.StrType(min_length=low, max_length=high):
            return lazy("must be a string of {low} to {high} characters", low=low or 0, high=high)
        case inspect.BoolType():
            return lazy("must be true or false")
        case inspect.LiteralType():
            return lazy("must be {choices}", choices=_quoted(kind))
        case inspect.VarTupleType(item_type=inspect.IntType(ge=low, le=high)):
            return lazy("must be a list of whole numbers from {low} to {high}", low=low, high=high)
        case inspect.VarTupleType(item_type=inspect.StrType(min_length=low, max_length=int(high))):
            return lazy("must be a list of strings of {low} to {high} characters", low=low or 0, high=high)
        case inspect.VarTupleType(item_type=inspect.StrType()):
            return lazy("must be a list of strings")
        case inspect.VarTupleType(item_type=inspect.StructType()):
            return lazy("must be a list of tables")
        case inspect.VarTupleType(item_type=inspect.TupleType(item_types=(inspect.IntType(), *_))):
            return lazy("must be a list of pairs of whole numbers")
        case inspect.VarTupleType():
            return lazy("must be a list of pairs of strings")
        case inspect.UnionType(types=(inspect.VarTupleType(), inspect.LiteralType() as words)):
            return lazy("must be a list of strings or {choices}", choices=_quoted(words))
        case inspect.UnionType(types=(first, *_)):  # the other types mean that the key is missing
            return _must(first)
        case _:
            return _MUST_BE_TABLE


def _quoted(kind: inspect.LiteralType) -> ItemList:
    return listing(f'"{value}"' for value in sorted(map(str, kind.values)))


def _read_categories(
    document: Mapping[str, object], problems: list[Problem]
) -> list[tuple[str | None, Category]]:
    found = document.get("category")
    if not isinstance(found, list):
        must = lazy("must be a list of tables")
        problems.append(_missing_or_wrong(document, "category", "category", must))
        return []
    categories: list[tuple[str | None, Category]] = []
    for number, entry in enumerate(found, start=1):
        is_table = isinstance(entry, Mapping)
        box = _find_box(entry, number, problems) if is_table and "like" in entry else {}
        table = with_box(entry, box) if is_table and box is not None else entry
        name = table.get("id") if is_table else None
        place = category_place(number, name)
        above = [line for _, line in categories]
        read = None if box is None else _read_category(table, place, above, problems)
        stand_in = Category(id=str(name), name=f"category {number}", asks=(AnyDice(),))
        categories.append((place, read) if read else (None, stand_in))
    return categories


def _find_box(
    table: Mapping[str, object], number: int, problems: list[Problem]
) -> Mapping[str, object] | None:
    """Return the box that a category is `like`; report an unknown name, and return the nearest or None."""
    like, boxes = table["like"], shared_boxes()
    place = f"{category_place(number, table.get('id'))}: like"
    if not isinstance(like, str):
        problems.append(Problem(place, _not(lazy("must be a string"), like)))
        return None
    if like in boxes:
        return boxes[like]
    if near := _find_near(like, boxes, problems):
        fault = lazy(
            "there is no shared box {like}; did you mean {near!r}?", like=show_value(like), near=near
        )
    else:
        fault = lazy(
            "there is no shared box {like}; choose from {boxes}", like=show_value(like), boxes=listing(boxes)
        )
    problems.append(Problem(place, fault))
    return boxes[near] if near else None


def _read_category(
    table: object, place: str, above: Sequence[Category], problems: list[Problem]
) -> Category | None:
    if not isinstance(table, Mapping):
        problems.append(Problem(place, _not(_MUST_BE_TABLE, table)))
        return None
    before = len(problems)
    tags = [tag for tag in _PATTERNS if tag in table]
    asks = []
    for tag in tags:
        keys = {key: table[key] for key in _fields_of(_PATTERNS[tag]) if key in table}
        asks.append(read_table(keys, _PATTERNS[tag], place, problems))
    if not asks:
        fault = lazy("must have at least one requirement: {patterns}", patterns=listing(_PATTERNS))
        problems.append(Problem(place, fault))
    own = [key for key, field in _fields_of(Category).items() if field.name not in _READ_APART]
    plain = {key: table[key] for key in own if key in table and key != "points"}
    category = read_table({**plain, "asks": (AnyDice(),)}, Category, place, problems)
    points = _read_points(table, f"{place}: points", above, problems)
    known = ["like", *own, *_PATTERNS, *(key for tag in tags for key in _fields_of(_PATTERNS[tag]))]
    _report_unknown(table, known, place, problems)
    if category is None or len(problems) > before:
        return None
    return structs.replace(category, asks=tuple(asks), **points)


def _read_points(
    table: Mapping[str, object], place: str, above: Sequence[Category], problems: list[Problem]
) -> dict[str, Any]:
    """Return the fields of the price, none for a sum of dice. By default, a double pays twice its `after`."""
    points = table.get("points")
    is_number = "number" in table  # then `find_errors` rejects any points
    if "points" not in table and (is_number or "after" in table):
        price = next((line.points for line in above if line.id == table.get("after")), None)
        return {"points": 2 * price} if price and not is_number else {}
    match points:
        case "sum" | "made":
            return {"points": 1} if is_number else {"sums_what_makes_it": points == _WHAT_MAKES_IT or UNSET}
        case int() if type(points) is int and 1 <= points <= MOST_POINTS:
            return {"points": points}
        case str() if (added := sum_and_more(points)) and not is_number:
            return {"added": added}
        case [first, *_, last] if len(points) <= MOST_THROWS and all(
            type(price) is int and 1 <= price <= MOST_POINTS for price in points
        ):
            by_throw = tuple(points) if len(points) > 2 else UNSET
            return {"points": last, "first": first, "by_throw": by_throw}
    must = lazy(
        'must be a number of points from 1 to {most}, a list of them by throw, "sum" (of all dice), '
        '"sum+20", or "made" (of the matching dice)',
        most=MOST_POINTS,
    )
    problems.append(_missing_or_wrong(table, "points", place, must))
    return {}


def _read_throw_names(names: object, problems: list[Problem]) -> tuple[tuple[str, int], ...]:
    if not isinstance(names, Mapping):
        problems.append(Problem("throw_names", _not(_MUST_BE_TABLE, names)))
        return ()
    read = []
    for name, throw in names.items():
        read.append((name, _read_value(throw, Throw, f"throw_names: {show_key(name)}", problems) or 1))
    return tuple(read)


def rules_document(rules: RuleSet) -> dict[str, object]:
    """Return the rule set as a document, the inverse of `read_rules`."""
    first = ("name", "title", "titles", "summary", "summaries", "source", "dice", "faces", "throws")
    then = ("turning", "fill_order", "opening_throws", "clockwise", "scratches_save", "poker_dice")
    stated = {key: _built(key, value) for key in first + then if (value := getattr(rules, key)) is not UNSET}
    minor = minor_of(rules)
    document = {"format": FORMAT, **({"minor": minor} if minor else {}), **stated}
    document["throw_names"] = dict(rules.throw_names)
    document["category"] = [_category_document(line) for line in rules.lines]
    if rules.settings:
        document["settings"] = [list(setting) for setting in rules.settings]
    for key in ("instant_win_points", *_TABLES):
        if (value := getattr(rules, key)) not in (None, UNSET):
            document[key] = _spelled(value, "rule") if isinstance(value, Struct) else value
    return document


def rules_toml(rules: RuleSet) -> str:
    document = {key: value for key, value in rules_document(rules).items() if value not in ("", {})}
    document.pop("category")
    tables = [key for key, value in document.items() if isinstance(value, dict) and key not in _BY_LANGUAGE]
    parts = [f"[{key}]\n{_toml_lines(cast('dict[str, object]', document.pop(key)))}" for key in tables]
    categories = (category_toml(_category_document(line)) for line in rules.lines)
    return "\n".join([_toml_lines(document), *parts, *categories])


def category_toml(table: Mapping[str, object]) -> str:
    return f"[[category]]\n{_toml_lines(table)}"


def _toml_lines(table: Mapping[str, object]) -> str:
    """Return a line for each key, and for each translation (`names.es = "unos"`). JSON values are TOML."""
    lines = []
    for key, value in table.items():
        if key in _BY_LANGUAGE:
            texts = cast("dict[str, str]", value)
            lines += [f"{key}.{language} = {_toml(text)}\n" for language, text in texts.items()]
        else:
            is_bare = fullmatch(r"[\w-]+", key, ASCII)
            lines.append(f"{key if is_bare else _toml(key)} = {_toml(value)}\n")
    return "".join(lines)


def _toml(value: object) -> str:
    import json  # needed only to write rules

    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_toml(each)}' for key, each in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def _category_document(line: Category) -> dict[str, object]:
    document = _spelled(line)
    called = ("id", "name", "names", "short", "shorts", "aliases", "shared_names")
    names = {key: document.pop(key) for key in called if key in document}
    asks: dict[str, object] = {}
    for pattern in line.asks:
        asks |= _spelled(pattern, str(pattern.__struct_config__.tag))
    summed = _WHAT_MAKES_IT if line.sums_what_makes_it else "sum"
    if line.added:
        summed = f"sum+{line.added}"
    price = [*line.by_throw] if line.by_throw else summed if line.points is None else line.points
    points = {} if line.number is not None else {"points": price}
    if line.by_throw:
        document.pop("first", None)
    rest = {key: value for key, value in document.items() if key not in (*_READ_APART, "points")}
    return names | asks | points | rest


def _spelled(record: Struct, always: str = "") -> dict[str, object]:
    return {
        key: _built(key, value)
        for key, field in _fields_of(type(record)).items()
        if (value := getattr(record, field.name)) != field.default or key == always
    }


def _built(key: str, value: Any) -> object:
    return dict(value) if key in _BY_LANGUAGE else to_builtins(value)
