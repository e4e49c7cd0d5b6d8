"""Currencies: their codes and decimals by ISO 4217, and the signs and names that people type for them."""

from collections.abc import Mapping, Sequence
from functools import cache

from generala_cli.messages import Message, words_for
from generala_cli.text import find_word

_TWO_DECIMALS = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES
WST XCD XCG YER ZAR ZMW ZWG
"""
_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"


@cache
def decimals_by_code() -> Mapping[str, int]:
    codes = {2: _TWO_DECIMALS, 0: _NO_DECIMALS, 3: _THREE_DECIMALS}
    return {code: places for places, listed in codes.items() for code in listed.split()}


_PESOS = "MXN ARS CLP COP UYU"
_OTHER_PESOS = "DOP CUP PHP"
_DOLLARS = "CAD AUD NZD SGD HKD TWD JMD TTD BSD BBD BZD BMD KYD FJD GYD LRD NAD SBD SRD XCD BND"
_NAMES: Mapping[str, Message] = {
    "EUR": words_for("the euro", "euro, euros, €"),
    f"USD {_PESOS} {_DOLLARS} {_OTHER_PESOS}": words_for("the sign of dollars and pesos", "$"),
    f"USD {_DOLLARS}": words_for("dollars", "dollar, dollars"),
    "USD": words_for("the US dollar", "US dollar, US dollars, American dollar, American dollars, US$, U$S"),
    "CAD": words_for("the Canadian dollar", "Canadian dollar, Canadian dollars, CA$"),
    "AUD": words_for("the Australian dollar", "Australian dollar, Australian dollars, A$, AU$"),
    "NZD": words_for("the New Zealand dollar", "New Zealand dollar, New Zealand dollars, NZ$"),
    "TWD": words_for("the New Taiwan dollar", "New Taiwan dollar, New Taiwan dollars, NTD, NT$"),
    f"{_PESOS} {_OTHER_PESOS}": words_for("pesos", "peso, pesos"),
    "MXN": words_for("the Mexican peso", "Mexican peso, Mexican pesos, MX$"),
    "ARS": words_for("the Argentine peso", "Argentine peso, Argentine pesos, AR$"),
    "CLP": words_for("the Chilean peso", "Chilean peso, Chilean pesos, CL$"),
    "COP": words_for("the Colombian peso", "Colombian peso, Colombian pesos, CO$"),
    "UYU": words_for("the Uruguayan peso", "Uruguayan peso, Uruguayan pesos, $U"),
    "DOP": words_for("the Dominican peso", "Dominican peso, Dominican pesos, RD$"),
    "CUP": words_for("the Cuban peso", "Cuban peso, Cuban pesos"),
    "PHP": words_for("the Philippine peso", "Philippine peso, Philippine pesos, ₱"),
    "BRL": words_for("the Brazilian real", "real, reais, R$"),
    "PEN": words_for("the Peruvian sol", "sol, soles, S/"),
    "PYG": words_for("the guarani", "guarani, guaranis, ₲"),
    "BOB": words_for("the boliviano", "boliviano, bolivianos"),
    "VES": words_for("the bolivar", "bolivar, bolivars"),
    "CRC": words_for("the colon", "colon, colons, ₡"),
    "GTQ": words_for("the quetzal", "quetzal, quetzals"),
    "HNL": words_for("the lempira", "lempira, lempiras"),
    "NIO": words_for("the cordoba", "cordoba, cordobas, C$"),
    "PAB": words_for("the balboa", "balboa, balboas"),
    "GBP EGP LBP SDG SSP SYP FKP GIP SHP": words_for("pounds", "pound, pounds, £"),
    "GBP": words_for("the pound sterling", "pound sterling, pounds sterling, British pound, British pounds"),
    "CHF XAF XOF XPF CDF DJF GNF KMF RWF BIF": words_for("francs", "franc, francs"),
    "CHF": words_for("the Swiss franc", "Swiss franc, Swiss francs, SFr"),
    "SEK NOK DKK CZK ISK": words_for("crowns", "crown, crowns, krona, kronor, krone, kroner, kr"),
    "SEK": words_for("the Swedish krona", "Swedish krona, Swedish kronor"),
    "NOK": words_for("the Norwegian krone", "Norwegian krone, Norwegian kroner"),
    "DKK": words_for("the Danish krone", "Danish krone, Danish kroner"),
    "CZK": words_for("the Czech koruna", "Czech koruna, Czech korunas, koruna, korunas"),
    "JPY CNY": words_for("the sign of yen and yuan", "¥"),
    "JPY": words_for("the yen", "yen"),
    "CNY": words_for("the yuan", "yuan, renminbi, RMB"),
    "KRW": words_for("the won", "won, ₩"),
    "INR PKR LKR NPR MUR SCR": words_for("rupees", "rupee, rupees"),
    "INR": words_for("the Indian rupee", "Indian rupee, Indian rupees, ₹"),
    "RUB BYN": words_for("rubles", "ruble, rubles, rouble, roubles"),
    "RUB": words_for("the Russian ruble", "Russian ruble, Russian rubles, ₽"),
    "UAH": words_for("the hryvnia", "hryvnia, hryvnias, ₴"),
    "PLN": words_for("the zloty", "zloty, zlotys, zł"),
    "HUF": words_for("the forint", "forint, forints"),
    "RON MDL": words_for("lei", "leu, lei"),
    "BGN": words_for("the lev", "lev, leva"),
    "TRY": words_for("the Turkish lira", "lira, liras, ₺"),
    "ILS": words_for("the shekel", "shekel, shekels, ₪"),
    "ZAR": words_for("the rand", "rand"),
    "THB": words_for("the baht", "baht, ฿"),
    "VND": words_for("the dong", "dong, ₫"),
    "IDR": words_for("the rupiah", "rupiah"),
    "MYR": words_for("the ringgit", "ringgit"),
    "NGN": words_for("the naira", "naira, ₦"),
    "GHS": words_for("the cedi", "cedi, cedis, ₵"),
    "KES TZS UGX SOS": words_for("shillings", "shilling, shillings"),
    "KWD BHD JOD IQD LYD TND DZD RSD": words_for("dinars", "dinar, dinars"),
    "SAR QAR OMR IRR YER": words_for("rials", "rial, rials, riyal, riyals"),
    "AED MAD": words_for("dirhams", "dirham, dirhams"),
}
"""By the codes that they may mean, the most likely first."""


@cache
def currencies_called(word: str) -> Sequence[str]:
    """Return the currency codes that a word (code, sign or name) may mean; empty if it is no currency."""
    code = word.strip().upper()
    if code in decimals_by_code():
        return (code,)
    return (find_word(word, _NAMES) or "").split()


def currency_meant(word: str) -> str | None:
    """Return the code of the only currency that a word may mean, or None if there are none or several."""
    codes = currencies_called(word)
    return codes[0] if len(codes) == 1 else None


_EURO_AREA = (
    "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK "
    "AX BL GF GP MF MQ PM RE YT"  # regions overseas with a code of their own
).split()
_OF_REGIONS: Mapping[str, str] = {
    **dict.fromkeys(_EURO_AREA, "EUR"),
    **dict.fromkeys(("EC", "PA", "PR", "SV", "TL"), "USD"),
    "LI": "CHF",
    "UY": "UYU",
    "VE": "VES",
}
"""Regions with a code that is not a prefix of their currency's code, or is a prefix of several."""


def currency_of_region(region: str) -> str:
    """Return the currency of a region by its ISO 3166 code, such as ARS for AR, or "" if unknown."""
    codes = (code for code in decimals_by_code() if code.startswith(region.upper()))
    return _OF_REGIONS.get(region.upper()) or (next(codes, "") if len(region) == len("AR") else "")


_OFTEN_PLAYED_FOR = ("EUR", "USD", "GBP", "ARS", "MXN", "CLP", "COP", "UYU", "BRL", "CHF", "CAD", "AUD")
_SHORTEST = len("EUR")


def near_currency(word: str, likely: Sequence[str]) -> str | None:
    """Return the currency that a misspelled word means, or None.

    Two neighboring letters may be swapped. In a word of three capitals, one letter may differ from a code
    that is common or in `likely`. So `BTC` and `gin` are not misspelled.
    """
    if len(word) < _SHORTEST:
        return None
    for at in range(len(word) - 1):
        swapped = f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
        if codes := currencies_called(swapped):
            return codes[0] if len(codes) == 1 else swapped
    codes = (*likely, *_OFTEN_PLAYED_FOR) if word.isupper() else ()
    same_length = (code for code in codes if len(code) == len(word))
    return next((code for code in same_length if sum(map(str.__ne__, code, word)) == 1), None)
