"""The smallest Typer program: what one TAB may cost at most."""

import typer


def hello(name: str = "table") -> None:
    """Say hello."""
    print(f"Hello {name}")  # noqa: T201


if __name__ == "__main__":
    typer.run(hello)
