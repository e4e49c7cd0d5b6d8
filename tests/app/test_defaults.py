from pathlib import Path

import pytest

from generala_cli.app.defaults import (
    PROGRAM,
    Setting,
    SyncSettings,
    read_defaults,
    read_sync,
    surroundings,
    write_sync,
)
from generala_cli.errors import DamagedFile, FileError
from tests.posix import posix_only


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_the_programs_defaults_hold(config: Path) -> None:
    settings = read_defaults(config)
    assert {name: (setting.value, str(setting.origin)) for name, setting in settings.items()} == {
        "rules": ("generala", "default"),
        "stake": ("1", "default"),
        "unit": ("point", "default"),
        "payout": ("difference", "default"),
    }
    assert not config.exists()


@pytest.mark.parametrize("text", ["", " \n", "# nothing yet\n"])
def test_an_empty_file_changes_nothing(config: Path, text: str) -> None:
    config.write_text(text)
    assert read_defaults(config) == read_defaults(config.with_name("none.toml"))


def test_a_file_changes_what_it_names(config: Path) -> None:
    config.write_text('rules = "yacht"\nunit = "drink"\n')
    settings = read_defaults(config)
    assert settings["rules"] == Setting(name="rules", value="yacht", origin=str(config))
    assert settings["unit"].value == "drink"
    assert str(settings["stake"].origin) == "default"


def test_a_flag_beats_the_file_and_the_file_the_program(config: Path) -> None:
    config.write_text('stake = "2"\n')
    settings = read_defaults(config, stake="3", unit=None)
    assert (settings["stake"].value, str(settings["stake"].origin)) == ("3", "flag")
    assert settings["unit"].value == "point"
    assert read_defaults(config, stake=None)["stake"].value == "2"
    assert read_defaults(config, stake="")["stake"].value == ""  # refused later, by its own name


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ('stakes = "1"', "unknown key 'stakes'; did you mean 'stake'?"),
        ("stake = 1", "stake: must be a string"),
        ("rules = true", "rules: must be a string"),
        ('unit = ""', "unit: must be a string"),
        (f'unit = "{"x" * 201}"', "unit: must be a string"),
    ],
    ids=range(5),
)
def test_every_error_in_the_file_is_reported(config: Path, text: str, detail: str) -> None:
    config.write_text(f"colour = 3\n{text}\n")
    with pytest.raises(DamagedFile) as caught:
        read_defaults(config)
    assert str(config) in str(caught.value)
    assert len(caught.value.details) == 2
    assert any(str(line).startswith(detail) for line in caught.value.details)


@pytest.mark.parametrize("data", [b"rules", b"\xff", b"stake = 1\nstake = 2\n", b"[" * 100_000])
def test_what_is_not_toml_is_named(config: Path, data: bytes) -> None:
    config.write_bytes(data)
    with pytest.raises(DamagedFile) as caught:
        read_defaults(config)
    assert str(config) in str(caught.value)


def test_a_folder_in_its_place_sets_nothing_and_is_not_written_over(config: Path) -> None:
    config.mkdir()
    assert read_defaults(config)["stake"].value == PROGRAM["stake"]
    with pytest.raises(FileError, match="it is a folder"):
        read_sync(config)
    with pytest.raises(FileError, match="it is a folder"):
        write_sync(config, SyncSettings(folder="/srv"))


@posix_only("the folders are those of POSIX systems")
def test_the_surroundings_say_where_every_setting_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GENERALA_ROOT")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GENERALA_HOME", str(tmp_path / "games"))
    config = tmp_path / "generala" / "config.toml"
    config.parent.mkdir()
    config.write_text('stake = "2"\n')
    found = {setting.name: (setting.value, setting.origin) for setting in surroundings()}
    assert found["games"] == (str(tmp_path / "games"), "GENERALA_HOME")
    assert found["configuration"] == (str(config.parent), "XDG_CONFIG_HOME")
    assert str(found["cache"][1]) == "default"
    assert found["stake"] == ("2", str(config))
    assert str(found["advice"][1]) == "default"
    assert set(found) == {"games", "configuration", "cache", "game", "advice", *PROGRAM}


@pytest.mark.parametrize("value", ["5" * 5000, "0x" + "f" * 5000])
def test_a_number_of_thousands_of_digits_is_refused(config: Path, value: str) -> None:
    config.write_text(f"stake = {value}\n")
    with pytest.raises(DamagedFile):
        read_defaults(config)
