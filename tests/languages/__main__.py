"""Update a language's file, or check several: `python -m tests.languages es`, `… --check es de`."""

import sys

from tests.languages.translations import path_of, untranslated, updated, with_other_places


def main() -> None:
    """Update the catalogues and print the missing translations."""
    arguments = sys.argv[1:]
    codes = [argument for argument in arguments if argument != "--check"]
    faults = 0
    for code in codes:
        if codes == arguments:
            text, path = updated(code), path_of(code)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        missing, wrong = list(untranslated(code)), list(with_other_places(code))
        sys.stdout.write("".join(f"{code}: shown in English: {sentence!r}\n" for sentence in missing))
        sys.stdout.write(
            "".join(f"{code}: other places than the English: {sentence!r}\n" for sentence in wrong)
        )
        sys.stdout.write("" if missing or wrong else f"{code}: every sentence is translated\n")
        faults += len(missing) + len(wrong)
    sys.exit(1 if faults and codes != arguments else 0)


main()
