"""The words for keys and values of rule options; the catalogues have those of other languages."""

from collections.abc import Mapping

from generala_cli.messages import NO, YES, Message, words_for

KEY_WORDS: Mapping[str, Message] = {
    "throws": words_for("the rule option throws", "throws"),
    "fill-order": words_for("the rule option fill-order", "fill-order"),
    "instant-win": words_for("the rule option instant-win", "instant-win"),
    "instant-win-points": words_for("the rule option instant-win-points", "instant-win-points"),
    "bonus": words_for("the rule option bonus", "bonus"),
    "upper-bonus": words_for("the rule option upper-bonus", "upper-bonus"),
    "upper-bonus-from": words_for("the rule option upper-bonus-from", "upper-bonus-from"),
    "joker": words_for("the rule option joker", "joker"),
    "spares": words_for("the rule option spares", "spares"),
}
VALUE_WORDS: Mapping[str, Message] = {
    "any": words_for("filling boxes in any order", "any"),
    "top-to-bottom": words_for("filling boxes from the top", "top-to-bottom"),
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
    "yes": YES,
    "no": NO,
    "points": words_for("a double that needs points", "points"),
    "five-alike": words_for("a double that needs five alike", "five-alike"),
}
