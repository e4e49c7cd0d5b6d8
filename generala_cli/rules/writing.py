"""A rule set as the document that `reading.read_ruleset` reads back."""

from generala_cli.rules.patterns import Alike, AnyDice, Groups, Number, Pattern, Straight, Total
from generala_cli.rules.reading import FORMAT
from generala_cli.rules.ruleset import Category, RuleSet


def ruleset_document(rules: RuleSet) -> dict[str, object]:
    """The document that `read_ruleset` reads as this rule set."""
    document: dict[str, object] = {
        "format": FORMAT,
        "name": rules.name,
        "title": rules.title,
        "summary": rules.summary,
        "source": rules.source,
        "dice": rules.dice,
        "faces": rules.faces,
        "throws": rules.throws,
        "fill_order": rules.fill_order,
        "opening_throws": rules.opening_throws,
        "throw_names": dict(rules.throw_names),
        "category": [_category_document(category) for category in rules.lines],
    }
    if rules.settings:
        document["settings"] = [[key, value] for key, value in rules.settings]
    if rules.instant_win_points is not None:
        document["instant_win_points"] = rules.instant_win_points
    if (win := rules.instant_win) is not None:
        document["instant_win"] = {"name": win.name, "box": win.box, "when": win.when}
    if (bonus := rules.upper_bonus) is not None:
        document["upper_bonus"] = {"from": bonus.threshold, "points": bonus.points}
    return document


def _category_document(category: Category) -> dict[str, object]:
    document: dict[str, object] = {"id": category.id, "name": category.name}
    if category.aliases:
        document["aliases"] = list(category.aliases)
    for pattern in category.asks:
        document |= _pattern_document(pattern)
    if category.number is None:
        document["points"] = "sum" if category.points is None else category.points
    optional = {"first": category.first, "after": category.after}
    document |= {key: value for key, value in optional.items() if value is not None}
    if category.saves_spares:
        document["saves_spares"] = True
    if not category.in_play:
        document["in_play"] = False
    return document


def _pattern_document(pattern: Pattern) -> dict[str, object]:
    document: dict[str, object]
    match pattern:
        case Number(face=face):
            return {"number": face}
        case Alike(count=count, all_alike=all_alike):
            document = {"alike": count}
            return document | ({} if all_alike else {"all_alike": False})
        case Groups(sizes=sizes, all_alike=all_alike):
            document = {"groups": list(sizes)}
            return document | ({"all_alike": True} if all_alike else {})
        case Straight(runs=runs, aces_stand_for=aces):
            listed = runs if isinstance(runs, str) else list(runs)
            return {"straight": listed} | ({"aces": list(aces)} if aces else {})
        case Total(total=total):
            return {"total": total}
        case AnyDice():
            return {"any": True}
