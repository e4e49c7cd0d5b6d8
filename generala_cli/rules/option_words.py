"""The words for keys and values of rule options; the catalogues have those of other languages."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from generala_cli.messages import NO, YES, FirstWord, Message, words_for

if TYPE_CHECKING:
    from generala_cli.rules.ruleset import RuleSet

KEY_WORDS: Mapping[str, Message] = {
    "turning": words_for("the rule option turning", "turning"),
    "throws": words_for("the rule option throws", "throws"),
    "fill-order": words_for("the rule option fill-order", "fill-order"),
    "instant-win": words_for("the rule option instant-win", "instant-win"),
    "instant-win-points": words_for("the rule option instant-win-points", "instant-win-points"),
    "bonus": words_for("the rule option bonus", "bonus"),
    "upper-bonus": words_for("the rule option upper-bonus", "upper-bonus"),
    "upper-bonus-from": words_for("the rule option upper-bonus-from", "upper-bonus-from"),
    "joker": words_for("the rule option joker", "joker"),
    "straights": words_for("the rule option straights", "straights"),
    "aces": words_for("the rule option aces", "aces"),
    "spares": words_for("the rule option spares", "spares"),
}
BEFORE_BOX: Mapping[str, Message] = {
    "extra": words_for("the rule option extra, before a box", "extra"),
    "all-alike-as": words_for("the rule option all-alike-as, before a box", "all-alike-as"),
    "same-face-as": words_for("the rule option same-face-as, before a box", "same-face-as"),
}
AFTER_BOX: Mapping[str, Message] = {"needs": words_for("the rule option needs, after a box", "needs")}
VALUE_WORDS: Mapping[str, Message] = {
    "any": words_for("filling boxes in any order", "any"),
    "top-to-bottom": words_for("filling boxes from the top", "top-to-bottom, forced"),
    "bottom-to-top": words_for("filling boxes from the bottom", "bottom-to-top"),
    "upper-first": words_for("filling the upper boxes first", "upper-first"),
    "lower-first": words_for("filling the lower boxes first", "lower-first"),
    "never": words_for("an instant win never", "never"),
    "unless-scratched": words_for("an instant win unless the box is scratched", "unless-scratched"),
    "while-open": words_for("an instant win while the box is open", "while-open"),
    "always": words_for("an instant win always", "always"),
    "difference": words_for("an instant win paid like any game", "difference"),
    "forced": words_for("a forced joker", "forced"),
    "own-box-first": words_for("a joker in its own box first", "own-box-first"),
    "free": words_for("a free joker", "free"),
    "two-runs": words_for("the two straights in order", "two-runs"),
    "ace-after-six": words_for("straights with an ace after the six", "ace-after-six"),
    "round": words_for("straights around the circle", "round"),
    "different": words_for("straights of different faces", "different"),
    "none": words_for("an ace that stands for nothing else", "none"),
    "one": words_for("turning one die", "one"),
    "one-or-two": words_for("turning one or two dice", "one-or-two"),
    "yes": YES,
    "no": NO,
    "points": words_for("a double that needs points", "points"),
    "five-alike": words_for("a double that needs five alike", "five-alike"),
}


def key_shown(rules: "RuleSet", key: str) -> object:
    """Return the key of an option as a message value, which shows the word to type in each language."""
    if key in KEY_WORDS:
        return FirstWord(KEY_WORDS[key])
    for box in rules.lines:
        if key == box.id:
            return box.typed
        if (word := BEFORE_BOX.get(key.removesuffix(f"-{box.id}"))) is not None:
            return Message("{word}-{box}", {"word": FirstWord(word), "box": box.typed})
        if (word := AFTER_BOX.get(key.removeprefix(f"{box.id}-"))) is not None:
            return Message("{box}-{word}", {"word": FirstWord(word), "box": box.typed})
    return key
