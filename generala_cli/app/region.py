import os

from generala_cli.game.currencies import currency_of_region

_LOCALE_VARIABLES = ("LC_ALL", "LC_MONETARY", "LANG", "LC_MESSAGES")


def local_currency() -> str:
    """Return the currency of the user's locale, such as ARS for es_AR; "" if it is unknown."""
    locale = next(filter(None, map(os.environ.get, _LOCALE_VARIABLES)), "")
    _, _, region = locale.split(".")[0].split("@")[0].replace("-", "_").partition("_")
    return currency_of_region(region)
