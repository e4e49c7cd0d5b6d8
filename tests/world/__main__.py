"""Simulate a world of machines from a seed; if a law fails, print the fewest steps that show it.

python -m tests.world --seed 7 [--machines 4] [--steps 40]
python -m tests.world --seed 0 --seeds 1000
"""

import sys
from argparse import ArgumentParser

from tests.world.running import described, drawn, run, shrink


def main() -> int:
    """Run the command line. Return 1 if a law is violated."""
    parser = ArgumentParser(prog="python -m tests.world", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument(
        "--seeds",
        type=int,
        default=1,
        help="the number of worlds, from that seed on; only failures are shown",
    )
    parser.add_argument("--machines", type=int, choices=[3, 4, 5], help="otherwise the seed says")
    parser.add_argument("--steps", type=int, default=40)
    asked = parser.parse_args()
    failed = 0
    for seed in range(asked.seed, asked.seed + asked.seeds):
        count, steps = drawn(seed, asked.machines, asked.steps)
        outcome = run(seed, count, steps)
        if asked.seeds == 1 and outcome.broken is None:
            say(*outcome.lines, "all laws hold", outcome.digest)
        if outcome.broken is not None:
            failed += 1
            say(described(seed, count, shrink(seed, count, steps, outcome.broken.law)))
    if asked.seeds > 1:
        say(f"{asked.seeds} seeds, {failed} of them broke a law")
    return int(failed > 0)


def say(*lines: str) -> None:
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
