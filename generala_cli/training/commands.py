import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.output import is_read, note, write
from generala_cli.cli.parameters import argument, option
from generala_cli.cli.progress import progress
from generala_cli.cli.prompts import answer_to, reply_to
from generala_cli.cli.session import Answer, Session, open_house_rules
from generala_cli.errors import Interrupted, UsageError
from generala_cli.messages import lazy
from generala_cli.render.hints import SHELL, full_message
from generala_cli.render.language import translate, translated
from generala_cli.store.signals import release_signals, signals_ending_a_stall
from generala_cli.text import safe

if TYPE_CHECKING:  # help must not import the game modules
    from generala_cli.rules.ruleset import RuleSet
    from generala_cli.training.answers import Training

_NAME = lazy("The player who trains; by default the only one, or the last to train.")
MaybeName = Annotated[str | None, argument("[NAME]", _NAME, completers.everyone)]
_RULES = lazy("Only games with these rules; if there are none, hands are drawn from good play.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_COUNT = lazy("The number of hands; by default until you quit, or 10 with --json.")
Count = Annotated[int | None, option("--count", _COUNT, "N", is_number=True)]
_MOST = 1000


def train(
    session: Session, name: MaybeName = None, rules: Rules = None, count: Count = None
) -> "Answer[Training]":
    """Ask about hands of your past games again, the costliest mistakes first.

    Type the dice that you keep, or the box for the hand. You see the best choice, and how many points yours
    is worth less. A choice within 0.1 points of the best is right. Each mistake comes once; a hand that you
    missed comes again after 1, 3, 7 and 21 days. Hands that you played well are mixed in. If the throws of a
    game were not entered, only the box is asked. With --json, it lists the hands and asks nothing.
    """
    if count is not None and not 0 < count <= _MOST:
        hint = lazy("type a number from 1 to {most}", most=_MOST)
        raise UsageError("--count cannot be {number}", hint, number=count)
    from generala_cli.training import storing as training
    from generala_cli.training.dialogue import Answers, converse, training_document, upcoming_hands
    from generala_cli.training.trainee import NobodyNamed, Trainee, trainee

    store = session.store
    answers = Answers(stored=training.load(store))
    wanted = None if rules is None else lambda: _rules(rules)

    def read(player: str | None) -> Trainee:
        with progress(quiet=session.quiet) as report:
            return trainee(store, player, wanted, answers.file, report)

    try:
        trained = read(name)
    except NobodyNamed as refusal:
        if not session.can_ask:
            raise
        note(f"{safe(translated(full_message(refusal, SHELL)))}\n")
        trained = read(reply_to(f"{translate('Who trains?')} ").strip())
    if session.json:
        with progress(quiet=session.quiet) as report:
            hands = upcoming_hands(store, trained, answers.file, count, report)
        return _answer(session, training_document(store, trained, answers, hands, saved=False))
    code = 0
    with redirect_stdout(sys.__stdout__ or sys.stdout):
        try:
            converse(store, trained, answers, _asked, _say, count, dry_run=session.dry_run)
        except KeyboardInterrupt:
            write("\n")
            code = 130
    saved = bool(answers.given) and not session.dry_run
    found = training_document(store, trained, answers, saved=saved)
    return replace(_answer(session, found), exit_code=code)


def _answer(session: Session, found: "Training") -> "Answer[Training]":
    from generala_cli.render.documents import with_rounded_figures

    return session.as_change(Answer.of(found, lambda: with_rounded_figures(found)))


def _rules(reference: str) -> "RuleSet":
    from generala_cli.app.rule_sets import load_rules

    def read_input() -> bytes:
        raise UsageError("standard input is for answers, not for rules", "give the name of a rule file")

    return load_rules(reference, open_house_rules(), read_input)


def _asked(question: str) -> str | None:
    return answer_to(f"{safe(question)} ")


def _say(lines: Sequence[str]) -> None:
    with signals_ending_a_stall():
        code = write("".join(f"{safe(line)}\n" for line in lines))
    release_signals()
    if code or not is_read():
        raise Interrupted("nobody can read the questions", "all answers so far are saved")
