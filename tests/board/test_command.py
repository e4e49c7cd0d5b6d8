"""The command `board`: its answers, and that it runs until it is stopped."""

import json
import shlex
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from generala_cli.board import running
from tests.cli.program import GENERALA, Generala, surroundings
from tests.cli.refusing import refused
from tests.cli.shapes import shape
from tests.posix import IS_POSIX, posix_only
from tests.validating import Draft202012Validator

_ended_by_a_signal = posix_only("a signal ends the board")


@contextmanager
def board(generala: Generala, *typed: str) -> Iterator[subprocess.Popen[str]]:
    """Run a board. End it like Ctrl-C, which is no error."""
    process = subprocess.Popen(
        [GENERALA, "board", *typed],
        env=surroundings(generala.home, {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.communicate()


def read(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.slow
@_ended_by_a_signal
def test_addresses_are_one_document_at_once_and_kept_for_the_next_board(played: Generala) -> None:
    with board(played, "--json", "--pad") as process:
        found = json.loads(read(process))
        assert list(Draft202012Validator(shape(("board",))).iter_errors(found)) == []
        assert list(found["pads"]) == ["Ana", "Beto"]
        with urlopen(found["watch"]) as page:
            assert page.read().startswith(b"<!DOCTYPE html>")
    with board(played, "--json") as process:
        assert json.loads(read(process)) == {"version": 1, "watch": found["watch"]}
    kept = json.loads((played.home / "data" / "board.json").read_bytes())
    assert kept["watch"] in found["watch"]


@pytest.mark.slow
@_ended_by_a_signal
def test_in_a_pipe_it_is_lines_and_no_picture(played: Generala) -> None:
    with board(played, "1") as process:
        assert read(process).startswith("to watch: http://127.0.0.1:")
        assert (
            read(process) == "only this machine can open it; add --lan to show it to everyone on the Wi-Fi\n"
        )
        assert read(process) == "press Ctrl-C to stop\n"
        process.send_signal(signal.SIGTERM)
        assert read(process) == "the board is closed\n"


@pytest.mark.slow
@_ended_by_a_signal
def test_codes_are_a_page_that_is_not_written_over_unasked(played: Generala) -> None:
    page = played.home / "codes.html"
    with board(played, "--pad", "--json", "--qr", str(page)) as process:
        found = json.loads(read(process))
    text = page.read_text("utf-8")
    assert text.count("<svg") == 5
    assert all(address in text for address in (found["watch"], found["keeper"], *found["pads"].values()))
    assert not IS_POSIX or page.stat().st_mode & 0o777 == 0o600  # it contains all secrets
    assert "add --yes to overwrite it" in refused(played, ("board", "--qr", str(page)), 2).err


@_ended_by_a_signal
@pytest.mark.slow
def test_a_port_that_is_taken_is_refused(played: Generala) -> None:
    with board(played, "--json") as process:
        port = urlsplit(json.loads(read(process))["watch"]).port
    with socket.create_server(("127.0.0.1", port or 0)):
        assert f"port {port} is in use, perhaps by another board" in refused(played, ("board",), 3).err


def test_what_cannot_be_is_refused(played: Generala) -> None:
    assert "ports go from 1 to 65535" in refused(played, ("board", "--port", "65536"), 2).err
    assert "ends in .html" in refused(played, ("board", "--qr", "codes.pdf"), 2).err
    assert "there is no game" in refused(played, ("board", "9"), 1).err


@pytest.mark.complete  # without advice, there are no chances
def test_chances_without_numpy_are_refused_at_once(played: Generala, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "find_spec", lambda _: None)
    assert "which is not installed" in refused(played, ("board", "--odds"), 3).err


@pytest.mark.slow
@posix_only("a pipe without a reader breaks")
def test_a_board_whose_address_nobody_can_read_ends(played: Generala) -> None:
    environment = surroundings(played.home, {})
    with subprocess.Popen([GENERALA, "board"], env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(20) == 0
    closed = f"exec {shlex.quote(str(GENERALA))} board >&-"
    ended = subprocess.run(
        ["sh", "-c", closed], env=environment, capture_output=True, timeout=20, check=False
    )
    assert ended.returncode == 3


@pytest.mark.slow
@pytest.mark.thinned(every=3)
@_ended_by_a_signal
@pytest.mark.parametrize("typed", [("board",), ("board", "--tournament"), ("board", "--pad")])
def test_a_second_board_is_refused_while_the_first_one_lives(
    played: Generala, typed: tuple[str, ...]
) -> None:
    with board(played, "--json") as process:
        watched = json.loads(read(process))["watch"]
        kept = (played.data / "board.json").read_bytes()
        refusal = refused(played, typed, 1)
        assert f"a board for these games is already running: {watched}; open that address" in refusal.err
        assert (played.data / "board.json").read_bytes() == kept
    assert (played.data / "board.lock").exists()


@posix_only("a killed board")
@pytest.mark.slow
def test_a_killed_board_holds_nobody_up(played: Generala) -> None:
    with board(played, "--json") as process:
        found = json.loads(read(process))
        process.kill()
        process.wait()
        with board(played, "--json") as following:
            assert json.loads(read(following)) == found
        process.returncode = 0


@_ended_by_a_signal
@pytest.mark.slow
def test_the_board_of_a_tournament_shows_the_games_too(played: Generala) -> None:
    with board(played, "--tournament", "--json") as process:
        found = json.loads(read(process))
        assert found["games"] == f"{found['watch']}games"
        with urlopen(found["games"]) as page:
            assert b'"games-events"' in page.read()
        with urlopen(f"{found['games']}-events") as events:
            shown = b"".join(events.readline() for _ in range(6))
        assert b'"players":["Ana","Beto"]' in shown
