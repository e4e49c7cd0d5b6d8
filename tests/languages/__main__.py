"""Make or bring up to date a language's file, or check it: `python -m tests.languages es`, `… --check es`."""

import sys

from tests.languages.translations import check, update


def main() -> None:
    """Do it, and say what is still to be translated."""
    *options, code = sys.argv[1:]
    path = update(code) if "--check" not in options else None
    faults = list(check(code))
    if path is not None:
        sys.stdout.write(f"{path} is up to date with the program\n")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "every sentence is translated\n")
    sys.exit(1 if faults and "--check" in options else 0)


main()
