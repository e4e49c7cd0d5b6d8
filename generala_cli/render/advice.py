"""advise: the choices with a hand, best first, and what each leads to."""

from collections.abc import Iterator

from generala_cli.app.advising import Advised
from generala_cli.odds.advice import Choice, Entering, Keeping
from generala_cli.render.letters import columns, wrapped
from generala_cli.render.screen import Screen
from generala_cli.rules.dice import print_dice
from generala_cli.rules.names import safe

_LEAST_TOLD = 0.005
"""What is less likely than this is left out of the text; `--json` has all."""


def advice(result: Advised, screen: Screen, top: int | None = None) -> str:
    """The best choices, each with the final total it leads to, and what it costs against the best."""
    shown = list(_shown(result, top))
    words = [_words(choice) for choice in shown]
    widest = max(map(columns, words))
    lines = [screen.strong(_heading(result))]
    for choice, said in zip(shown, words, strict=True):
        blanks = " " * (widest - columns(said))
        figures = f"{said}{blanks}  {choice.expected:7.2f}  {_cost(choice, screen)}".rstrip()
        lines.append(screen.strong(figures) if choice is shown[0] else figures)
        if isinstance(choice, Keeping):
            lines += _wrapped(_ends(choice), screen)
    return "\n".join([*lines, *_basis(result, screen)]) + "\n"


def _shown(result: Advised, top: int | None) -> Iterator[Choice]:
    """The first few; where the hand is best entered now, every category that it could go to."""
    choices = result.advice.choices
    for place, choice in enumerate(choices):
        stops = isinstance(choices[0], Entering) and isinstance(choice, Entering)
        if place < (5 if top is None else top) or (stops and top is None):
            yield choice


def _heading(result: Advised) -> str:
    advised = result.advice
    who = safe(result.rules.title if result.player is None else result.player)
    spare = f", {_counted(result.sheet.spares, 'spare')} among them" if result.sheet.spares else ""
    return f"{who}: {print_dice(advised.dice)} on throw {advised.throw} of {advised.last}{spare}"


def _words(choice: Choice) -> str:
    if isinstance(choice, Keeping):
        return f"keep {print_dice(choice.kept)}" if choice.kept else "throw all again"
    if choice.instant_win:
        return "enter it: it wins at once"
    assert choice.category is not None
    name = safe(choice.category.name)
    return f"score {name} {choice.points}" if choice.points else f"scratch {name}"


def _cost(choice: Choice, screen: Screen) -> str:
    return f"{screen.marks.minus}{choice.cost:.2f}" if choice.cost >= _LEAST_TOLD else ""


def _ends(choice: Keeping) -> str:
    """`fours 40%, full house 22%, scratch ones 3%`: what the turn ends with."""
    told = [(each.scored, safe(each.category.name)) for each in choice.likely]
    told += [(each.scratched, f"scratch {safe(each.category.name)}") for each in choice.likely]
    likely = sorted((each for each in told if each[0] >= _LEAST_TOLD), key=lambda each: -each[0])
    return ", ".join(f"{what} {chance:.0%}" for chance, what in likely)


def _basis(result: Advised, screen: Screen) -> list[str]:
    """What the figures are."""
    what = "The figures are expected final totals with the best play to the end"
    if result.player is None:
        told = "the points told, and those" if result.sheet.total else "the points"
        what = f"The figures are {told} to be expected with the best play to the end"
    if result.instant_value is not None:
        largest = result.sheet.total + result.instant_value
        counts = f"as the largest total still possible, {largest}"
        if result.instant_value_told:
            counts = f"{result.instant_value} points on top of those on the sheet"
        what += f"; an instant win counts {counts} (--instant-value)"
    return _wrapped(f"{what}.", screen, indent="")


def _wrapped(text: str, screen: Screen, indent: str = "    ") -> list[str]:
    return [indent + line for line in wrapped(text, screen.width - len(indent))]


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
