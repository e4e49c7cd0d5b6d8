"""The entry point. Start-up is the program's speed, so nothing is imported before it is needed."""

import gc
import os
import sys

# A command lives for milliseconds: collecting what it drops costs more than it frees.
gc.disable()


def main() -> None:
    """Run one command and leave with its exit code."""
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:  # also while importing
        code = 130
    except (MemoryError, ImportError, OSError, SystemError) as error:  # no room to begin
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        # In English: no language is chosen yet, and there is no room for one.
        sys.stderr.write(f"generala: it could not be started ({why}); close other programs and try again\n")
        code = 3
    _leave(code)


def _leave(code: int) -> None:
    """End at once: what is to be written is written by now, and nothing here waits for the end.

    To take the program apart module by module, as the interpreter would, is a twentieth of a command.
    """
    try:
        sys.stderr.flush()
    finally:
        os._exit(code)


def _run(arguments: list[str]) -> int:
    from generala_cli.cli.output import configure_streams, write

    configure_streams()
    if arguments == ["--version"]:
        from generala_cli import __version__

        return write(f"generala {__version__}\n")
    if arguments[:1] == ["__complete"]:
        from generala_cli.cli.completion import candidates

        return write(candidates(arguments[1:]))
    if arguments[:1] == ["__describe"]:
        from generala_cli.cli.completion import described_candidates

        return write(described_candidates(arguments[1:]))
    from generala_cli.cli.running import run

    return run(arguments)


if __name__ == "__main__":
    main()
