"""The completion files. They are kept in completions/ and shipped inside the package."""

from pathlib import Path

FILES = {"bash": "generala.bash", "zsh": "_generala", "fish": "generala.fish", "powershell": "generala.ps1"}


def completion_text(shell: str) -> str:
    """The completion file of a shell, as shipped; in a source tree it is beside the package."""
    package = Path(__file__).parent.parent
    for folder in (package / "completions", package.parent / "completions"):
        if (folder / FILES[shell]).exists():
            return (folder / FILES[shell]).read_text(encoding="utf-8")
    raise FileNotFoundError(FILES[shell])
