"""The words said at a table: every category and every throw answers to them."""

import pytest

from generala_cli.errors import Ambiguous, NotAllowed, NotFound
from generala_cli.messages import Language
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.describing import describe_rules
from generala_cli.rules.options import with_settings
from tests.cases import cases

FAMILY = ["generala", "generala-round", "generala-ace", "generals", "general"]
GENERALA = {name: "general" if name in ("generals", "general") else "generala" for name in FAMILY}


@cases(
    ("name", "word", "category"),
    [
        ("generala", "ESCALERA", "straight"),
        ("generala", "póker", "four-of-a-kind"),
        ("generala", "poker", "four-of-a-kind"),
        ("generala", "s", "straight"),
        ("generala", "f", "full-house"),
        ("generala", "Four of a  kind", "four-of-a-kind"),
        ("generals", "Генерал", "general"),
        ("general", "general", "general"),
        ("yacht", "big", "big-straight"),
        ("yacht", "1", "ones"),
        ("crag", "13", "thirteen"),
        ("crag", "trio", "three-of-a-kind"),
        ("crag", "seises", "sixes"),
        ("golden-fifty", "kleine", "low-straight"),
        ("golden-fifty", "GROSSE STRASSE", "high-straight"),
        ("golden-fifty", "funfer", "fives"),
        ("golden-fifty", "Goldene Fünfzig", "golden-fifty"),
        ("kniffel", "fuenfer", "fives"),
        ("kniffel", "4er-Pasch", "four-of-a-kind"),
        ("kniffel", "gr. Str.", "large-straight"),
        ("kniffel", "lange Straße", "large-straight"),
        ("kniffel", "yahtzee", "kniffel"),
    ],
)
def test_a_category_answers_in_any_case_with_or_without_accents_and_by_its_start(
    name: str, word: str, category: str
) -> None:
    assert built_in(name).find_category(word).id == category


@cases("name", FAMILY)
def test_generala_is_the_box_for_five_alike_and_the_double_answers_where_it_is_in_play(name: str) -> None:
    without, both = (with_settings(built_in(name), [("double-generala", value)]) for value in ("no", "yes"))
    for word in ("generala", "g"):
        assert without.find_category(word).id == both.find_category(word).id == GENERALA[name]
    for word in ("d", "doble", "doble generala", "generala doble"):
        assert both.find_category(word).id == "double-generala"


@cases("name", FAMILY)
def test_the_double_is_refused_if_it_is_not_in_play(name: str) -> None:
    with pytest.raises(NotAllowed, match=r"double .* is not played in this game"):
        built_in(name).find_category("doble")


def test_golden_fifty_has_two_straights_and_asks_which() -> None:
    with pytest.raises(Ambiguous, match=r"low-straight or high-straight"):
        built_in("golden-fifty").find_category("escalera")


@cases("name", built_in_names())
def test_every_name_of_a_category_means_that_category(name: str) -> None:
    rules = built_in(name)
    for category in rules.categories:
        own = filter(category.is_own, category.answers_to)
        assert {rules.find_category(word).id for word in own} == {category.id}


@cases(
    ("word", "throw"),
    [
        ("SERVIDA", 1),
        ("served", 1),
        ("De Primera", 1),
        ("segunda", 2),
        ("third", 3),
        ("throw 2", 2),
        ("4th throw", 4),
        ("3.º tiro", 3),
        ("2. WURF", 2),
        ("mit 2 Wuerfen", 2),
        ("aus der Hand", 1),
    ],
)
def test_throws_are_counted_in_words_of_every_language(word: str, throw: int) -> None:
    assert built_in("generala").find_throw(word) == built_in("crag").find_throw(word) == throw


@cases("word", ["Gut", "gut", "spare"])
def test_the_first_spare_of_golden_fifty_pays_for_the_fourth_throw(word: str) -> None:
    assert built_in("golden-fifty").find_throw(word) == 4


def test_the_words_for_throws_are_those_of_the_language_and_of_the_game() -> None:
    words = built_in("golden-fifty").throw_words
    assert [*words] == [1, 2, 3, 4]
    assert (words[1][0], "served" in words[1], words[4][:3]) == ("first", True, ("gut", "spare", "fourth"))


@cases("word", ["", "gut", "s", "1", "throw", "0. Wurf", "12 tiros", "al dos", "a dos"])
def test_other_words_name_no_throw(word: str) -> None:
    assert built_in("generala").find_throw(word) is None


@cases("word", ["zzz", "chance"])
def test_what_no_line_is_called_is_no_category_that_could_be_brought_in(word: str) -> None:
    with pytest.raises(NotFound, match=f"^there is no category '{word}'"):
        built_in("generala").find_category(word)


def test_a_category_out_of_play_is_not_on_the_sheet() -> None:
    with pytest.raises(NotFound, match=r"^Generala has no category 'double-generala'$"):
        built_in("generala").category("double-generala")


@cases("name", ["yacht", "crag", "golden-fifty", "kniffel"])
@cases("word", ["s", "straight"])
def test_where_there_are_several_straights_none_is_taken_for_another_box(name: str, word: str) -> None:
    with pytest.raises(Ambiguous, match=word) as refusal:
        built_in(name).find_category(word)
    assert "straight" in str(refusal.value.hint)


@cases(
    ("name", "category", "spanish", "german", "narrow"),
    [
        ("generala", "ones", "unos", "Einser", ("unos", "Einser")),
        ("generala", "four-of-a-kind", "póker", "Viererpasch", ("póker", "4erPasch")),
        ("kniffel", "large-straight", "escalera mayor", "Große Straße", ("mayor", "Gr. Str.")),
        ("crag", "thirteen", "trece", "Dreizehn", ("trece", "Dreizehn")),
        ("kniffel", "chance", "chance", "Chance", ("chance", "Chance")),
    ],
)
def test_a_category_has_a_name_in_every_language(
    name: str, category: str, spanish: str, german: str, narrow: tuple[str, str]
) -> None:
    found = built_in(name).category(category)
    assert (found.name_in("es"), found.name_in("de"), found.name_in("en")) == (spanish, german, found.name)
    assert (found.short_in("es"), found.short_in("de")) == narrow
    assert found.short_in("fr") == (found.short or found.name)


def test_a_game_and_its_win_have_names_in_every_language() -> None:
    rules = built_in("generals")
    assert [rules.name_in(code) for code in ("en", "es", "de", "fr")] == [
        "Generals",
        "Generales",
        "Generäle",
        "Generals",
    ]
    assert rules.summary_in("es").startswith("La generala de Europa oriental")
    assert rules.instant_win is not None
    assert rules.instant_win.name_in("es") == "gran general"


def test_rules_are_described_with_the_names_of_the_language() -> None:
    found = [Language("es", None).text_of(sentence) for sentence in describe_rules(built_in("golden-fifty"))]
    boxes = "escalera menor, escalera mayor, full or cincuenta de oro"
    assert f"Spares: {boxes} in fewer than three throws saves the unused throws." in found


@cases("name", built_in_names())
def test_every_built_in_name_is_translated_where_another_is_used(name: str) -> None:
    """Untranslated names, such as `generala` and `chance`, are the same in that language."""
    untold = {line.name for line in built_in(name).lines if not {"es", "pt"} <= dict(line.names or ()).keys()}
    assert untold <= {"generala", "kniffel", "yahtzee", "yatzy", "maxi yatzy", "chance", "yacht", "crag"}
    assert all("de" in dict(line.names or ()) for line in built_in(name).lines)
    long = [
        (code, text)
        for line in built_in(name).lines
        for code, text in line.names or ()
        if len(text) > 8 and code not in dict(line.shorts or ())
    ]
    assert long == []
