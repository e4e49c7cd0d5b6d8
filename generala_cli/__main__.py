"""The entry point. Start-up time matters most, so imports happen only when needed."""

import gc
import os
import sys

# A command runs for milliseconds, so collecting garbage costs more than it frees.
gc.disable()


def main() -> None:
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:  # even during imports
        code = 130
    except (MemoryError, ImportError, OSError, SystemError) as error:  # cannot even start
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        # In English, because no language has been loaded yet.
        sys.stderr.write(f"generala: could not start ({why}); close other programs and try again\n")
        code = 3
    _leave(code)


def _leave(code: int) -> None:
    """Exit at once: everything has been written, and nothing needs cleaning up.

    An orderly shutdown of the interpreter would take a twentieth of a command's time.
    """
    try:
        sys.stderr.flush()
    finally:
        os._exit(code)


def _run(arguments: list[str]) -> int:
    from generala_cli.cli.output import configure_streams, write

    configure_streams()
    if arguments in (["--version"], ["-V"]):
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
