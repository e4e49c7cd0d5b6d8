"""The smallest Typer program: the upper limit for the time of one TAB."""

import typer


def hello(name: str = "table") -> None:
    """Say hello."""
    print(f"Hello {name}")  # noqa: T201


if __name__ == "__main__":
    typer.run(hello)
