"""The background process: its replies, its failures, and how to stop it."""

import shutil
from pathlib import Path
from queue import Empty, Queue
from types import SimpleNamespace

import msgspec
import pytest

from generala_cli import worker
from generala_cli.advice.answers import Odds
from generala_cli.game.turnline import TurnLine
from generala_cli.store.cache import Cache
from generala_cli.store.places import cache_folder
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.worker import Completed, HandAdvice, HandOnTable, Progress, Question, Refusal, Reply, Worker
from tests.app.table import begin
from tests.store.files import store_in

SECONDS = 300
"""Longer than any machine takes to work General out."""


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)


def question(store: Store, about: worker.Subject, *, language: str = "en") -> Question:
    return Question(about=about, directory=str(store.folder.directory), game=1, language=language)


def last_reply(replies: Queue[Reply]) -> Reply:
    """The first reply that says more than how much is done."""
    while isinstance(reply := replies.get(timeout=SECONDS), Progress):
        assert 0 <= reply.percent <= 100
    return reply


@pytest.mark.slow
def test_it_answers_and_its_process_is_gone(store: Store) -> None:
    begin(store)
    replies: Queue[Reply] = Queue()
    asked = Worker(question(store, "chances"), replies.put)
    reply = last_reply(replies)
    assert isinstance(reply, Completed)
    first, second = msgspec.json.decode(reply.text, type=Odds).odds
    assert first.wins + second.wins == pytest.approx(1)
    assert asked._process is not None
    asked._process.wait(SECONDS)
    asked.end()
    assert replies.empty()


@pytest.mark.slow
def test_what_sheets_are_worth_is_kept_for_who_asks_next(store: Store) -> None:
    begin(store, rules="kniffel")
    replies: Queue[Reply] = Queue()
    Worker(question(store, "worths"), replies.put)
    assert last_reply(replies) == Completed(text="")
    (kept,) = Cache(cache_folder()).files()
    assert (kept.state, kept.kind, kept.rules) == ("fine", "worths", "kniffel")


@pytest.mark.slow
def test_a_refusal_is_in_the_language_of_who_asks(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55555",), roll="1"))
    replies: Queue[Reply] = Queue()
    Worker(question(store, "odds", language="de"), replies.put)
    reply = last_reply(replies)
    assert isinstance(reply, Refusal)
    assert reply.reason.startswith("das Spiel ist zu Ende")


@pytest.mark.slow
def test_the_coach_replies_to_hands_until_it_is_dropped(store: Store) -> None:
    begin(store)
    replies: Queue[Reply] = Queue()
    asked = Worker(question(store, "coach"), replies.put)
    hand = HandOnTable(seen=0, player="Ana", dice=(1, 2, 4, 4, 6), throw=1)
    for each in (hand, msgspec.structs.replace(hand, throw=3)):
        asked.ask(each)
        reply = last_reply(replies)
        assert isinstance(reply, HandAdvice)
        assert reply.hand == each
        assert reply.choices[0].cost == 0
    asked.end()
    assert asked._process is not None
    assert asked._process.poll() is not None
    asked.ask(hand)
    with pytest.raises(Empty):
        replies.get(timeout=0.2)


@pytest.mark.slow
def test_where_no_process_answers_it_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store)
    for program in filter(None, (shutil.which("false"), "/nowhere/python")):
        monkeypatch.setattr(worker, "sys", SimpleNamespace(executable=program))
        replies: Queue[Reply] = Queue()
        Worker(question(store, "odds"), replies.put)
        assert isinstance(last_reply(replies), Refusal)
