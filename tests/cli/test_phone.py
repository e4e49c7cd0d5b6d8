"""A phone with Termux: no numpy, no hard links, and games on shared storage, a disk without modes."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.program import Generala

PHONE = """
import errno, os, platform, stat, sys

def refuse(*_, **__):
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

def fsync(descriptor, flush=os.fsync):
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    flush(descriptor)

del os.link
os.chmod = os.fchmod = os.chown = os.fchown = os.lchown = refuse
os.fsync = fsync
sys.platform = "android"
if hasattr(platform, "AndroidVer"):  # Python 3.13 asks Android's own library for it
    platform.android_ver = lambda: platform.AndroidVer("14", 34, "", "", "", False)
sys.modules["numpy"] = None
"""
EVENING = (
    ("new", "Ana", "Beto", "--rules", "general", "--stake", "1", "--unit", "USD"),
    ("55533", "1"),
    ("44244",),
    ("undo",),
    ("redo",),
    ("amend", "1", "55533", "--roll", "2"),
    ("x", "ones"),
    ("66666", "1"),
    ("payouts",),
    ("pay", "Ana", "Beto", "5", "--unit", "USD"),
    ("rematch",),
    ("log",),
    ("sheet", "--json"),
    ("stats",),
    ("rules", "new", "casa", "--from", "general"),
    ("new", "Ana", "Cora", "--rules", "casa"),
    ("use", "1"),
    ("export", "--all", "--format", "generala", "-o", "{home}/backup.generala"),
    ("import", "{home}/backup.generala"),
    ("sync", "{home}/user", "--as", "phone"),
    ("delete", "3", "--yes"),
    ("doctor",),
)
"""The commands of an evening, in order."""


@pytest.fixture
def phone(generala: Generala, tmp_path: Path) -> Generala:
    """Return the program with the Python, the disk and the installed packages of a phone."""
    (tmp_path / "phone").mkdir()
    (tmp_path / "phone" / "sitecustomize.py").write_text(PHONE)
    (generala.home / "user").mkdir(parents=True)
    return replace(generala, environment={"PYTHONPATH": str(tmp_path / "phone")})


@pytest.mark.slow
def test_a_whole_evening_goes_as_anywhere_else(phone: Generala) -> None:
    for typed in EVENING:
        phone.ok(*(word.format(home=phone.home) for word in typed))
    game = phone.game(1)
    assert game.with_name("game.json.bak").stat().st_ino != game.stat().st_ino
    assert not list(phone.home.rglob(".tmp-*"))


@pytest.mark.slow
def test_only_advice_is_missing_and_says_how_it_is_had(phone: Generala) -> None:
    phone.ok("new", "Ana", "Beto")
    refused = phone("advise", "44126", "--roll", "1")
    assert (refused.code, refused.out) == (3, "")
    assert "numpy, which is not installed; " in refused.err
    assert "in Termux pkg install python-numpy" in refused.err


@pytest.mark.slow
def test_the_screen_takes_a_hand(phone: Generala) -> None:
    phone.ok("new", "Ana", "Beto")
    with phone.on_terminal("play", lines=24, columns=40) as terminal:
        terminal.until("? keys")
        terminal.type("55533 1\r")
        terminal.until("▸Beto")
        terminal.type("q\r")
        assert terminal.end()[0] == 0
    assert "5 5 5 3 3  1      full house      35" in phone.ok("log")
