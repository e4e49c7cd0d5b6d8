"""The records that everything is made of."""

import pytest

from generala_cli.facts import Fact, replace


class Throw(Fact):
    """Three dice and who threw them."""

    player: str
    dice: tuple[int, ...]
    roll: int = 3


class Other(Fact):
    """Of the same fields, but another thing."""

    player: str
    dice: tuple[int, ...]
    roll: int = 3


ANA = Throw(player="Ana", dice=(1, 2, 3))


def test_a_field_that_is_not_given_has_its_default() -> None:
    assert ANA.roll == 3


def test_equal_fields_of_one_class_are_equal_and_hash_alike() -> None:
    again = Throw(player="Ana", dice=(1, 2, 3), roll=3)
    assert again == ANA
    assert hash(again) == hash(ANA)


@pytest.mark.parametrize(
    "other",
    [Throw(player="Beto", dice=(1, 2, 3)), Throw(player="Ana", dice=(1, 2, 3), roll=1), "Ana", None],
)
def test_another_value_is_another_record(other: object) -> None:
    assert other != ANA


def test_records_of_different_classes_are_never_equal() -> None:
    assert Other(player="Ana", dice=(1, 2, 3)) != ANA


def test_a_record_never_changes() -> None:
    with pytest.raises(AttributeError, match="a Throw never changes: roll"):
        ANA.roll = 1  # type: ignore[misc]
    with pytest.raises(AttributeError, match="a Throw never changes: roll"):
        del ANA.roll
    assert ANA.roll == 3


def test_replace_gives_another_record_with_the_same_rest() -> None:
    assert replace(ANA, roll=1) == Throw(player="Ana", dice=(1, 2, 3), roll=1)
    assert ANA.roll == 3


@pytest.mark.parametrize("fields", [{}, {"player": "Ana"}, {"player": "Ana", "dice": (), "colour": "red"}])
def test_missing_and_unknown_fields_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="missing or unknown"):
        Throw(**fields)  # type: ignore[arg-type]


def test_what_is_printed_reads_back() -> None:
    assert repr(ANA) == "Throw(player='Ana', dice=(1, 2, 3), roll=3)"
    assert eval(repr(ANA)) == ANA
