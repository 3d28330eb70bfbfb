"""Game codes: the canonical form, what is forgiven, and what is wrong with anything else."""

import time
from hashlib import sha256
from string import ascii_uppercase

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.engine.codes import (
    DEALS,
    LETTERS,
    Code,
    CodeFault,
    InvalidCode,
    daily_code,
    numbered,
    parse_code,
    read_code,
)
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.engine.rules import Rules
from tests.engine.tables import STEADY, game_id

WHITE_SPACE = [
    *map(chr, range(0x09, 0x0E)),
    *"\x20\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000",
    *map(chr, range(0x2000, 0x200B)),
]
"""The characters with the Unicode property White_Space."""

DASHES = [
    *"-\u058a\u05be\u1400\u1806\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d",
    *map(chr, range(0x2010, 0x2016)),
    *"\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010ead",
]
"""The characters with the Unicode property Dash, as of Unicode 14."""


def read(text: str) -> str:
    """Return the canonical form of a forgiven text."""
    return read_code(text).text


def fault(text: str) -> CodeFault:
    """Return the fault of a text that is no code, however forgivingly it is read."""
    with pytest.raises(InvalidCode) as caught:
        read_code(text)
    return caught.value.fault


def strict_fault(text: str) -> CodeFault:
    """Return the fault of a text that is no code in its canonical form."""
    with pytest.raises(InvalidCode) as caught:
        parse_code(text)
    return caught.value.fault


@pytest.mark.parametrize(
    ("text", "rules", "number"),
    [
        ("SS1-S1-AAAAAAA", ONE_SUIT, 0),
        ("SS1-S2-AAAAAAB", TWO_SUITS, 1),
        ("SS1-S4-AAAAABD", FOUR_SUITS, 29),
        ("SC1-C-AAAAABE", CLASSIC, 30),
        ("SC1-R-ZZZZZZZ", RELAXED, 8_031_810_175),
    ],
)
def test_a_code_names_the_game_the_variant_and_the_number_of_the_deal(text: str, rules: Rules, number: int) -> None:
    """SS-10 and fault 14: the code says which rules are in play; its letters count in base 26."""
    for code in (parse_code(text), read_code(text), numbered(rules, number)):
        assert code == Code(rules, text[-LETTERS:])
        assert code.text == text


def test_there_are_26_to_the_7th_deals_of_each_game() -> None:
    """SS-10."""
    assert DEALS == 26**7 == 8_031_810_176


@STEADY
@given(st.sampled_from(GAMES), st.integers(0, DEALS - 1))
def test_every_code_reads_back_from_its_text_in_either_case(rules: Rules, number: int) -> None:
    """SS-10 and fault 65: the number of a deal can be had back from its code."""
    code = numbered(rules, number)
    value = 0
    for letter in code.letters:
        value = value * 26 + ascii_uppercase.index(letter)
    assert value == number
    for text in (code.text, code.text.lower(), code.text.title()):
        assert parse_code(text) == read_code(text) == code


@pytest.mark.parametrize("space", WHITE_SPACE, ids=lambda character: f"U+{ord(character):04X}")
def test_white_space_around_and_inside_is_forgiven_by_pages_only(space: str) -> None:
    """SS-10: any Unicode white space."""
    assert read(f"{space}SS1{space}-S1-AAA{space}{space}AABD{space}") == "SS1-S1-AAAAABD"
    for text in (f"{space}SS1-S1-AAAAABD", f"SS1-S1-AAAAABD{space}", f"SS1-S1-AAA{space}AABD"):
        assert strict_fault(text) in CodeFault


@pytest.mark.parametrize("dash", [*DASHES, "_", "."], ids=lambda character: f"U+{ord(character):04X}")
def test_other_dashes_are_forgiven_by_pages_only(dash: str) -> None:
    """SS-10: any Unicode dash, the low line and the full stop."""
    assert read(f"SS1{dash}S1{dash}AAAAABD") == "SS1-S1-AAAAABD"
    assert read(f"sc1{dash}c{dash}aaaaabe{dash}") == "SC1-C-AAAAABE"
    if dash != "-":
        assert strict_fault(f"SS1{dash}S1{dash}AAAAABD") in CodeFault


@pytest.mark.parametrize(
    "text",
    ["SS1S4AAAAABD", "ss1s4aaaaabd", "SS1-S4AAAAABD", "SS1S4-AAAAABD", "-SS1--S4-AAAAABD-", "SS1 S4 AAAA ABD"],
)
def test_missing_and_doubled_dashes_are_forgiven(text: str) -> None:
    """SS-10."""
    assert read(text) == "SS1-S4-AAAAABD"


@pytest.mark.parametrize(
    "text",
    [
        "https://pasianssi.example/play/SS1-S4-AAAAABD",
        "http://127.0.0.1:8000/play/ss1-s4-aaaaabd",
        "https://pasianssi.example/play/SS1-S4-AAAAABD/",
        "https://pasianssi.example/play/SS1-S4-AAAAABD?lang=fi",
        "https://pasianssi.example/play/SS1-S4-AAAAABD#table",
        "https://pasianssi.example/code?code=SS1-S4-AAAAABD",
        "https://pasianssi.example/code?a=1&code=ss1s4aaaaabd&b=2",
        "  https://pasianssi.example/play/SS1-S4-AAAAABD.\n",
        "/play/SS1-S4-AAAAABD",
        "pasianssi.example/play/SS1–S4–AAAAABD",
        "https://pasianssi.example/play/SS1-S4-AAAA\nABD",
        "https://pasianssi.example/language?next=%2Fplay%2FSS1-S4-AAAAABD%3Flang%3Dfi",
        "https://ss1.example/play/SS1-S4-AAAAABD",
        "https://pasianssi.example/SS9/play/SS1-S4-AAAAABD",
    ],
)
def test_a_pasted_link_is_forgiven(text: str) -> None:
    """SS-10: a whole link that contains a code."""
    assert read(text) == "SS1-S4-AAAAABD"


@pytest.mark.parametrize(
    "text",
    [
        "https://pasianssi.example/play/SS1-S4-AAAAABD?next=/play/SC1-C-AAAAABE",
        "https://pasianssi.example/play/SS1-S4-AAAAABD\nhttps://pasianssi.example/play/SC1-C-AAAAABE",
        "/SS1-S4-AAAAABD/SC1-C-AAAAABE",
        "https://pasianssi.example/play/SS1-S4-AAAAABD and then https://pasianssi.example/play/SC1-C-AAAAABE",
        "https://pasianssi.example/play/SS1-S4-AAAAABD is a good one",
    ],
)
def test_the_first_code_of_a_pasted_link_counts(text: str) -> None:
    """SS-10."""
    assert read(text) == "SS1-S4-AAAAABD"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", CodeFault.GAME),
        (" \t\n", CodeFault.GAME),
        ("---", CodeFault.GAME),
        ("SS9-S1-AAAAABD", CodeFault.GAME),
        ("SS2-S1-AAAAABD", CodeFault.GAME),
        ("WA1-C-AAAAABD", CodeFault.GAME),
        ("S", CodeFault.GAME),
        ("AAAAABD", CodeFault.GAME),
        ("SS1", CodeFault.SUITS),
        ("SS1-", CodeFault.SUITS),
        ("SS1-S3-AAAAABD", CodeFault.SUITS),
        ("SS1-S12-AAAAABD", CodeFault.SUITS),
        ("SS1-C-AAAAABD", CodeFault.SUITS),
        ("SS1-AAAAABD", CodeFault.SUITS),
        ("SC1", CodeFault.RULES),
        ("SC1-S1-AAAAABD", CodeFault.RULES),
        ("SC1-X-AAAAABD", CodeFault.RULES),
        ("SC1-CR-AAAAABD", CodeFault.RULES),
        ("SS1-S1-", CodeFault.TOO_FEW),
        ("SS1-S1", CodeFault.TOO_FEW),
        ("SS1-S1-AAAAAB", CodeFault.TOO_FEW),
        ("SC1-R-A", CodeFault.TOO_FEW),
        ("SS1-S1-AAAAAB0", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAA!D", CodeFault.NOT_LETTERS),
        ("SS1-S1-1234567", CodeFault.NOT_LETTERS),
        ("SC1-C-ÄÄÄÄÄÄÄ", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAABDE", CodeFault.TOO_MANY),
        ("SC1CAAAAABDE", CodeFault.TOO_MANY),
        ("SS1-S1-" + "A" * 2000, CodeFault.TOO_MANY),
    ],
)
def test_the_fault_of_a_code_is_named(text: str, expected: CodeFault) -> None:
    """SS-10 and fault 64: unknown game, suits or rules, letters too few, too many or none."""
    assert fault(text) == strict_fault(text.strip()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "SS1S1AAAAABD",
        "SS1-S1AAAAABD",
        "SS1S1-AAAAABD",
        "SC1CAAAAABD",
        "SC1--C-AAAAABD",
        "SC1-C-AAAA-ABD",
        "-SC1-C-AAAAABD",
    ],
)
def test_where_only_the_hyphens_are_wrong_they_are_blamed_or_forgiven(text: str) -> None:
    """SS-10: a person may leave them out, a program may not."""
    assert strict_fault(text) == CodeFault.HYPHENS
    assert read_code(text).letters == "AAAAABD"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SS9-S3-AAAAAB0", CodeFault.GAME),
        ("SS9-S1-AAAAAB", CodeFault.GAME),
        ("SS1-S3-AAAAAB0", CodeFault.SUITS),
        ("SS1-S3-AAAAAB", CodeFault.SUITS),
        ("SS1-S3-AAAAABDE", CodeFault.SUITS),
        ("SC1-X-AAAAAB0", CodeFault.RULES),
        ("SC1-X-", CodeFault.RULES),
    ],
)
def test_the_game_is_blamed_before_the_variant_and_the_variant_before_the_letters(
    text: str, expected: CodeFault
) -> None:
    """SS-10: the order of blame."""
    assert fault(text) == strict_fault(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://pasianssi.example/play/SS1-S4-AAAAAB", CodeFault.TOO_FEW),
        ("https://pasianssi.example/play/SS1-S4-AAAAABDE", CodeFault.TOO_MANY),
        ("https://pasianssi.example/play/SS1-S3-AAAAABD", CodeFault.SUITS),
        ("https://pasianssi.example/play/SC1-X-AAAAABD?lang=fi", CodeFault.RULES),
        ("https://pasianssi.example/play/SS9-S3-AAAAABD", CodeFault.GAME),
        ("https://pasianssi.example/", CodeFault.GAME),
        ("/", CodeFault.GAME),
    ],
)
def test_what_is_wrong_in_a_pasted_link_is_named(text: str, expected: CodeFault) -> None:
    """SS-10."""
    assert fault(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ß1-S1-AAAAABD", CodeFault.GAME),
        ("\N{LATIN SMALL LETTER LONG S}S1-S1-AAAAABD", CodeFault.GAME),
        ("ＳＳ１-S1-AAAAABD", CodeFault.GAME),  # noqa: RUF001
        ("ЅЅ1-S1-AAAAABD", CodeFault.GAME),  # noqa: RUF001
        ("SS¹-S1-AAAAABD", CodeFault.GAME),
        ("SS1-\N{LATIN SMALL LETTER LONG S}1-AAAAABD", CodeFault.SUITS),
        ("SS1-S１-AAAAABD", CodeFault.SUITS),  # noqa: RUF001
        ("SS1-S1-AAAAAıD", CodeFault.NOT_LETTERS),  # noqa: RUF001
        ("SS1-S1-AAAAAİD", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAA\N{KELVIN SIGN}D", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAßD", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAAﬀ", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAA\u0301BD", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAA\u200bBD", CodeFault.NOT_LETTERS),
        ("SS1-S1-AAAAABD\0", CodeFault.NOT_LETTERS),
    ],
)
def test_nothing_but_ascii_letters_is_folded(text: str, expected: CodeFault) -> None:
    """SS-10: no other folding, whatever Unicode's own case rules say."""
    assert fault(text) == strict_fault(text) == expected


@pytest.mark.parametrize("text", ["SS1-S1-AAAAABD\n", " SS1-S1-AAAAABD", "SS1S1AAAAABD", "/play/SS1-S1-AAAAABD"])
def test_the_strict_reading_takes_only_the_canonical_form(text: str) -> None:
    """SS-10: what the JSON API and the command line take."""
    assert read(text) == parse_code("ss1-s1-aaaaabd").text == "SS1-S1-AAAAABD"
    assert strict_fault(text) in CodeFault


@STEADY
@given(st.text() | st.text("SC1-R/ ?.aAzZß\n", max_size=20))
@example("SS1-S1-AAAAABD")
@example("/" * 50)
@example("SC1-C-\ud800AAAAAB")
def test_any_text_is_a_code_or_has_a_fault(text: str) -> None:
    """SS-10: never another error, however strange the text."""
    for reading in (read_code, parse_code):
        try:
            code = reading(text)
        except InvalidCode as error:
            fault = error.fault
            assert isinstance(fault, CodeFault)
        else:
            assert code.text == parse_code(code.text).text == read_code(f" {code.text.lower()} ").text


@pytest.mark.parametrize(
    "text",
    [
        "A" * 10**6,
        "SS1-S1-" + "A" * 10**6,
        "SS1" + "-" * 10**6,
        "SS1-S" * 200_000,
        " " * 10**6,
        "ß" * 10**6,
        "/" * 10**6,
        "/SS1-S1-AAAAAA" * 70_000,
        "/ SS1-S1 -AAAAAAAA" * 50_000,
        "%2F" * 300_000,
    ],
    ids=lambda text: text[:10],
)
def test_a_megabyte_of_text_is_refused_quickly(text: str) -> None:
    """SS-10: however long the text."""
    begun = time.process_time()
    assert fault(text) in CodeFault
    assert strict_fault(text) in CodeFault
    # It takes a quarter of a second; anything that grows with the square of the length would take minutes.
    assert time.process_time() - begun < 5


@STEADY
@given(st.sampled_from([FOUR_SUITS, CLASSIC]), st.dates())
def test_the_deal_of_a_day_is_the_digest_of_its_date(rules: Rules, day: object) -> None:
    """Fault 68: the date alone decides, so that the day changes where its date does."""
    digest = sha256(f"daily/{rules.prefix}/{day}".encode("ascii")).digest()
    value = 0
    for byte in digest[:8]:
        value = value * 256 + byte
    letters = ""
    for place in range(6, -1, -1):
        letters += ascii_uppercase[value % 26**7 // 26**place % 26]
    assert daily_code(rules, str(day)) == Code(rules, letters)


@pytest.mark.parametrize(
    ("rules", "day", "text"),
    [
        (FOUR_SUITS, "2026-11-30", "SS1-S4-OGLWMUH"),
        (FOUR_SUITS, "2027-01-01", "SS1-S4-VBIWZFQ"),
        (CLASSIC, "2026-11-30", "SC1-C-NWACPAX"),
        (CLASSIC, "2027-01-01", "SC1-C-BJRMUIF"),
    ],
)
def test_the_deals_of_pinned_days_never_change(rules: Rules, day: str, text: str) -> None:
    assert daily_code(rules, day).text == text


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_no_two_variants_share_a_code(rules: Rules) -> None:
    """SS-10 and fault 14: a code leads back to exactly one set of rules."""
    assert parse_code(numbered(rules, 29).text).rules is rules
    assert len({(other.prefix, other.variant) for other in GAMES}) == len(GAMES)
