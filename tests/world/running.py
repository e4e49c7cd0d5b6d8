"""One run of a world: steps, with all laws checked after each, and a meeting of all machines at the end."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from hashlib import sha256
from random import Random

from generala_cli.errors import GeneralaError
from generala_cli.exchange.syncing import sync
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.progress import no_progress
from tests.world import laws
from tests.world.disk import ROOT, Disks, Killed, Process, Together
from tests.world.laws import Broken, Memory
from tests.world.machine import SHARED, Machine, Reading, Torn
from tests.world.steps import (
    Choose,
    Command,
    Report,
    Step,
    Sync,
    choose,
    draw,
    follow,
    mend,
    take_away,
    with_losses,
)

NAMES = "abcde"
MOST_FILES = 6


@dataclass(slots=True)
class Outcome:
    """The result of a run.

    Attributes:
        lines: every step and its report. broken: the broken law. digest: of everything left on the disks.
    """

    lines: list[str] = field(default_factory=list)
    broken: Broken | None = None
    digest: str = ""


class World:
    """Machines over one shared folder."""

    def __init__(self, count: int) -> None:
        self.disks = Disks()
        self.machines = [Machine(self.disks, name) for name in NAMES[:count]]
        self.memory = Memory()
        self.readings = {machine.name: Reading() for machine in self.machines}
        for place in (SHARED, *(machine.place for machine in self.machines)):
            self.disks.make_folder(place)

    def do(self, step: Step) -> str:
        """Do a step, check the disks, and return its report."""
        random = Random(step.seed)
        if step.happening is not None:
            output = step.happening.happen(self.disks, self.machines, random)
            for machine in self.machines:
                self._look_for_losses(machine, self.readings[machine.name], machine.read())
            return output or "nothing"
        step = replace(step, machines=tuple(map(self._who, step.machines, step.commands)))
        answers: list[Report | None] = [None] * len(step.commands)
        works: list[tuple[Process, Callable[[], None]]] = []
        for place, (number, dies) in enumerate(zip(step.machines, step.dies_at, strict=True)):
            machine = self.machines[number]
            machine.minute = step.minute
            process = Process(Random(step.seed + place), place + 1, dies, step.halfway)
            process.takes_at = step.takes_at
            process.take = partial(take_away, machine, Random(step.seed))
            works.append((process, self._work(step, place, machine, answers)))
        is_alone = len(works) == 1
        ended = [_end(self.disks, *works[0])] if is_alone else Together(self.disks, random).run(works)
        if step.loses_power and works[0][0].is_dead:
            self.disks.cut_power(self.machines[step.machines[0]].place, random)
        output = " | ".join(map(_words, answers, ended))
        for error in ended:
            if isinstance(error, Torn | Broken):
                raise error
            if error is not None and not isinstance(error, Killed | GeneralaError):
                shown = "".join(traceback.format_exception(error)[-4:])
                raise Broken(laws.SAFE, shown) from error
        self._look(step, answers, ended)
        return output

    def _who(self, number: int, command: Command) -> int:
        """Pick the machine for a step. For a choice, prefer a machine that has versions to choose from."""
        others = [(number + each) % len(self.machines) for each in range(len(self.machines))]
        asked = (each for each in others if self.readings[self.machines[each].name].beside)
        return next(asked, number) if isinstance(command, Choose) else number

    def _work(
        self, step: Step, place: int, machine: Machine, answers: list[Report | None]
    ) -> Callable[[], None]:
        def work() -> None:
            answers[place] = step.commands[place].run(machine, Random(step.seed + place))

        return work

    def _look(
        self, step: Step, answers: Sequence[Report | None], ended: Sequence[BaseException | None]
    ) -> None:
        """Check the laws about each machine of a step."""
        for number in dict.fromkeys(step.machines):
            machine = self.machines[number]
            here = [place for place, each in enumerate(step.machines) if each == number]
            self._look_at(
                machine,
                [answers[place] for place in here if not isinstance(ended[place], Killed)],
                was_killed=any(isinstance(ended[place], Killed) for place in here),
                with_deleted=any(getattr(step.commands[place], "with_deleted", True) for place in here),
            )
        is_alone = len(step.commands) == 1 and not any(step.dies_at)
        if is_alone and isinstance(step.commands[0], Sync) and ended[0] is not None:
            raise Broken(laws.DONE, ended[0])

    def _look_at(
        self,
        machine: Machine,
        answers: Sequence[Report | None],
        *,
        was_killed: bool = False,
        with_deleted: bool = False,
    ) -> None:
        before, after = self.readings[machine.name], machine.read()
        laws.check_kept(machine, before, after)
        laws.check_missing(machine, before, after, answers)
        if machine.lost:
            self._look_for_losses(machine, before, after)
            return
        laws.check_numbers(machine, after)
        alone = len(answers) == 1 and not was_killed
        for report in answers:
            if report is not None or alone:
                laws.check_report(machine, before, after, report, alone=alone)
        if alone and answers[0] is not None and answers[0].is_exchange:
            self.memory.check_origin(machine, after)
        there = {version.id for versions in after.versions().values() for version in versions}
        for report in answers:
            if report is not None and report.deleted and report.deleted in machine.synced:
                machine.gone.add(report.deleted)
            if report is not None and report.synced is not None:
                machine.synced |= there
        if with_deleted:
            machine.gone -= there
        elif alone:
            laws.check_deleted(machine, after)
        self.memory.deleted |= machine.deleting
        machine.deleting -= {version.id for version in after.games.values()}
        self.memory.chosen |= machine.choosing
        machine.edited.clear()
        self.memory.learn_choices(machine, before, after)
        self.memory.learn(before, after)
        self.readings[machine.name] = after

    def _look_for_losses(self, machine: Machine, before: Reading, after: Reading) -> None:
        """Note that a file is gone, and check that the program names it."""
        self.memory.learn(before, after)
        self.memory.excuse(before, after)
        machine.lost.clear()
        machine.spent |= {int(name) for name in after.missing if name.isdecimal()}
        machine.deleting -= {version.id for version in after.games.values()}
        self.readings[machine.name] = after
        if after.missing:
            error = _end(self.disks, Process(Random(0), 9), partial(laws.check_named, machine, after))
            if error is not None:
                raise error

    def quietly(self, machine: Machine, seed: int, work: Callable[[], Report]) -> Report:
        """Run an undisturbed command."""
        reports: list[Report] = []
        error = _end(self.disks, Process(Random(seed), 9), lambda: reports.append(work()))
        if isinstance(error, GeneralaError):
            raise Broken(laws.DONE, f"{machine.name}: {error}")
        if error is not None:
            raise error
        self._look_at(machine, reports)
        return reports[0]

    def meet(self, seed: int, times: int = 2) -> None:
        """Let every machine sync this many times."""
        for _ in range(times):
            for machine in self.machines:
                seed += 1
                self.quietly(machine, seed, partial(Sync().run, machine, Random(0)))

    def end(self, seed: int) -> None:
        """Let all machines sync, answer each question once, and check that all have the same."""
        for machine in self.machines:
            if machine.read().missing:
                self.quietly(machine, seed, partial(mend, machine))
        laws.check_set_aside(self.machines, self._readings(), self.memory)
        self.check_orders(seed)
        self.meet(seed)
        laws.check_followed(self.machines, self._readings(), self.memory)
        self.follow(seed + 100)
        laws.check_same(self.machines, self._readings(), self.memory)
        for chance in range(3):
            if not self.choose_everywhere(seed + 1000 * chance):
                break
        laws.check_settled(self.machines, self._readings())
        laws.check_same(self.machines, self._readings(), self.memory)
        for machine in self.machines:
            self.check_ledger(machine)
        before = self.disks.files(ROOT)
        self.meet(seed + 500, times=1)
        now = self.disks.files(ROOT)
        other = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        # A machine remembers the others' files of the round before.
        if written := [name for name in other if not name.endswith("/sync.json")]:
            raise Broken(laws.QUIET, f"there are other files: {written}")

    def choose_everywhere(self, seed: int) -> bool:
        """Answer each question on the machine with the most versions. Return whether there was a question.

        Versions that this machine had not seen can lead to a new question.
        """
        random = Random(seed)
        seen: dict[str, set[laws.History]] = {}
        by_versions = sorted(
            random.sample(self.machines, len(self.machines)),
            key=lambda machine: -sum(map(len, self.readings[machine.name].beside.values())),
        )
        for machine in by_versions:
            for number, others in sorted(self.readings[machine.name].beside.items()):
                game = self.readings[machine.name].games.get(number)
                if game is not None and game.id not in seen:
                    seen[game.id] = {*map(laws.history, (game, *others))}
                    is_other = random.random() < 0.5
                    work = partial(choose, machine, number, random, is_other=is_other)
                    self.quietly(machine, seed + len(seen), work)
        if seen:
            self.meet(seed + 300)
            laws.check_followed(self.machines, self._readings(), self.memory)
            self.follow(seed + 400)
            laws.check_answered(self.machines, self._readings(), seen)
        return bool(seen)

    def follow(self, seed: int) -> None:
        """Let all machines follow the choices of others until none is left."""
        for _ in range(3):
            count = 0
            for machine in self.machines:
                seed += 1

                def work(machine: Machine = machine) -> Report:
                    nonlocal count
                    count += follow(machine)
                    return Report(words="followed", chosen="all")

                self.quietly(machine, seed, work)
            if not count:
                return
            self.meet(seed + 10)

    def check_ledger(self, machine: Machine) -> None:
        """Check the ledger of a machine."""
        owed: dict[tuple[str, str], Decimal] = {}

        def work() -> Report:
            for account in ledger(read_ledger_data(machine.store(), strict=True)).units:
                owed.update({(account.unit, name): net for name, net in account.net.items()})
            return Report(words="the ledger", is_exchange=True)

        self.quietly(machine, 0, work)
        laws.check_money(machine, self.readings[machine.name], owed)

    def check_orders(self, seed: int) -> None:
        """Check that a new machine gets the same data, in any order of the files."""
        files = [(name, data) for name, data in self.disks.files(SHARED).items() if name[0] != "."]
        files, random = files[:MOST_FILES], Random(seed)
        found: list[Reading] = []
        for order in range(2 if len(files) > 1 else 0):
            machine = Machine(self.disks, f"new{order}")
            folder = f"{ROOT}/arriving{order}"
            for place in (folder, machine.place):
                self.disks.make_folder(place)
            for name, data in random.sample(files, len(files)):
                self.disks.write(f"{folder}/{name}", data)
                self._arrive(machine, folder, seed)
            found.append(machine.read())
        laws.check_order(found)

    def _arrive(self, machine: Machine, folder: str, seed: int) -> None:
        """Let a machine sync without choosing."""
        error = _end(self.disks, Process(Random(seed), 9), partial(_sync, machine, folder))
        if error is not None:
            raise error

    def _readings(self) -> list[Reading]:
        return [self.readings[machine.name] for machine in self.machines]


def _sync(machine: Machine, folder: str) -> None:
    sync(
        machine.store(),
        machine.house_rules,
        machine.config,
        folder=folder,
        name=machine.name,
        with_deleted=False,
        dry_run=False,
        progress=no_progress,
    )


def _end(disks: Disks, process: Process, work: Callable[[], None]) -> BaseException | None:
    """Run a process alone. Return the exception that ended it, or None."""
    try:
        return None if disks.run(process, work) else Killed()
    except Exception as error:
        return error


def _words(report: Report | None, ended: BaseException | None) -> str:
    if isinstance(ended, Killed):
        return "killed"
    return f"refused: {ended}" if report is None else report.words


def run(seed: int, count: int, steps: Sequence[Step]) -> Outcome:
    """Do all steps and let all machines meet at the end. The arguments decide the outcome."""
    outcome = Outcome()
    world = World(count)
    with world.disks.installed():
        try:
            for step in steps:
                outcome.lines.append(f"{step}")
                outcome.lines[-1] += f" → {world.do(step)}"
            outcome.lines.append("all meet")
            world.end(seed)
        except Broken as broken:
            outcome.broken = broken
        except Torn as torn:
            outcome.broken = Broken(laws.LOST, torn)
        except GeneralaError as error:
            outcome.broken = Broken(laws.SAFE, error)
        except Exception as error:
            outcome.broken = Broken(laws.SAFE, "".join(traceback.format_exception(error)[-6:]))
        left = sorted(world.disks.files(ROOT).items())
    outcome.digest = sha256(repr([outcome.lines, left]).encode()).hexdigest()
    return outcome


def try_seed(seed: int, count: int | None = None, steps: int = 40) -> Outcome:
    """Draw a run from a seed and do it."""
    return run(seed, *drawn(seed, count, steps))


def drawn(seed: int, count: int | None = None, steps: int = 40) -> tuple[int, list[Step]]:
    """Return the number of machines, by default from the seed, and the steps."""
    random = Random(seed)
    machines = random.randint(3, 5)
    drawn_steps = draw(random, count or machines, steps)
    return (count or machines), with_losses(Random(f"losses of {seed}"), count or machines, drawn_steps)


def shrink(seed: int, count: int, steps: Sequence[Step], law: str) -> list[Step]:
    """Return the fewest and simplest steps that break the same law."""

    def is_broken(left: Sequence[Step]) -> bool:
        broken = run(seed, count, left).broken
        return broken is not None and broken.law == law

    left = list(steps)
    size = max(1, len(left) // 2)
    while size:
        place = 0
        while place < len(left):
            fewer = left[:place] + left[place + size :]
            if is_broken(fewer):
                left = fewer
            else:
                place += size
        size //= 2
    for place, step in enumerate(left):
        for simpler in _simpler(step):
            changed = [*left[:place], simpler, *left[place + 1 :]]
            if is_broken(changed):
                left = changed
                break
    return left


def _simpler(step: Step) -> list[Step]:
    found = [
        replace(step, commands=(command,), machines=(machine,), dies_at=(dies,))
        for command, machine, dies in zip(step.commands, step.machines, step.dies_at, strict=True)
        if len(step.commands) > 1
    ]
    if any(step.dies_at):
        found += [replace(step, loses_power=False), replace(step, dies_at=(0,) * len(step.dies_at))]
    return found


def described(seed: int, count: int, steps: Sequence[Step]) -> str:
    """Describe a run that breaks a law: the seed, the steps and the difference."""
    outcome = run(seed, count, steps)
    lines = [f"{place}. {line}" for place, line in enumerate(outcome.lines, start=1)]
    return "\n".join([f"seed {seed}, {count} machines:", *lines, f"broken: {outcome.broken}", ""])
