"""stub"""


def candidates(words: list[str]) -> list[str]:
    return []
