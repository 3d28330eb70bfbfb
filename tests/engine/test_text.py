"""Texts and records: what round-trips, what is pinned because it is stored, and what is refused as malformed."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.engine.cards import LETTERS, NAMES
from app.engine.codes import parse_code
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS
from app.engine.moves import Action, Auto, Command, InvalidMove, Move, parse_action
from app.engine.position import InvalidPosition, Position
from app.engine.replay import InvalidRecord, read_action, replay
from tests.engine.tables import STEADY, begin, down, loop, scorpion, scorpion_example, shown, simple_simon

COLUMNS: list[list[str]] = [[] for _ in range(10)]
RECORD: dict[str, Any] = {"game": "simple-simon", "suits": 4, "columns": COLUMNS, "moves": []}
SCORPION: dict[str, Any] = {"game": "scorpion", "rules": "classic", "columns": COLUMNS[:7], "moves": []}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("SS1-S1-AAAAABD", "fdjhkhbb,ceafclde,likmbmih,alhcdij,jaggcm,elkag,gemj,bff,dk,i/0000000000//"),
        ("SS1-S4-AAAAABD", "FDWuKHbO,pEaScyqe,YVXMozvh,ALUCQIJ,wNGgPZ,RlknT,trmj,Bsf,dx,i/0000000000//"),
        ("SC1-C-AAAAABD", "qbKCwPQ,zhOXotm,duVnaIU,rySHMvF,sGYDZEc,iRjplWA,JxfLkgB/3333000/TNe/"),
    ],
)
def test_the_text_of_a_position_is_pinned(code: str, text: str) -> None:
    """Saved games hold this text, so that another text for the same cards would make them unreadable."""
    assert parse_code(code).deal().text == text
    assert Position.parse(text) == parse_code(code).deal()


def test_the_text_of_a_position_under_way_holds_runs_and_hidden_cards() -> None:
    position = scorpion("?5C ?4D KH", "", "AS", runs="HC")
    assert position.text == "RDz,,a,,,,/2000000//HC"
    assert Position.parse(position.text) == position


def test_the_words_of_the_history_are_pinned() -> None:
    """Saved games hold these words: from, how many cards, to, and what followed; ``-`` for the stock."""
    assert loop(2).words == "91606190"
    run = f"?9D {down('KH', '2H')}"
    assert begin(CLASSIC, scorpion(run, "?5C AH"), Move(1, 1, 0)).words == "1107"
    assert begin(CLASSIC, scorpion("4H", run, "5S", stock="3C AH 7S"), Command.DEAL).words == "-030"
    group = begin(CLASSIC, scorpion("5H", " ".join(["4H", *["KS"] * 30])), Move(1, 0, 0))
    assert group.words == "1O00"


def test_the_letters_of_the_cards_are_pinned() -> None:
    """Saved games hold these letters."""
    assert "".join(NAMES[letter] for letter in "amnzAMNZ") == "ASKSAHKHADKDACKC"
    assert {name: NAMES[letter] for name, letter in LETTERS.items()} == {name: name for name in LETTERS}


NAMED = st.sampled_from(sorted(LETTERS))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    columns = draw(st.lists(st.lists(NAMED, max_size=20), min_size=1, max_size=12))
    hidden = [draw(st.integers(0, len(column))) for column in columns]
    marked = [
        [f"?{name}" if at < count else name for at, name in enumerate(column)]
        for column, count in zip(columns, hidden, strict=True)
    ]
    runs = draw(st.text("SHDC", max_size=4))
    return Position.read(marked, draw(st.lists(NAMED, max_size=3)), runs)


@STEADY
@given(positions())
def test_every_position_reads_back_from_its_text_and_from_its_names(position: Position) -> None:
    """Any cards, few or many, are one line of printable ASCII without white space."""
    text = position.text
    assert text.isascii()
    assert text.isprintable()
    assert " " not in text
    assert Position.parse(text) == position
    stock = [NAMES[card] for card in position.stock]
    assert Position.read(position.names(hidden="?{}"), stock, list(position.runs)) == position


PLACE = st.integers(0, 999)
ACTIONS = st.one_of(st.builds(Move, PLACE, PLACE, PLACE), st.builds(Auto, PLACE, PLACE), st.sampled_from(list(Command)))


@STEADY
@given(ACTIONS)
def test_every_action_reads_back_from_its_text(action: Move | Auto | Command) -> None:
    assert parse_action(action.text) == action


def test_the_texts_of_actions_are_pinned() -> None:
    actions: list[Action] = [Move(1, 5, 6), Auto(1, 5), Command.DEAL, Command.UNDO, Command.REDO]
    assert [action.text for action in actions] == ["1.5-6", "1.5", "deal", "undo", "redo"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "//",
        "///",
        "////",
        "a//",
        "a/0//" + "/",
        "a//0//",
        "a/00//",
        "a,b/0//",
        "a/2//",
        "a/1/",
        "a/-//",
        "a/x//",
        "a/\N{ARABIC-INDIC DIGIT ZERO}//",
        "1/0//",
        "4S/0//",
        "a b/0//",
        " a/0//",
        "a/0// ",
        "a/0//\n",
        "a\n/0//",
        "å/0//",
        "a/0/1/",
        "a/0/?/",
        "a/0//X",
        "a/0//s",
        "a/0//S,H",
        "a;b/00//",
        "a" * 10**5,
        "a/0//" * 10**4,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_other_text_is_a_position(text: str) -> None:
    with pytest.raises(InvalidPosition, match="not the text of a position"):
        Position.parse(text)


@STEADY
@given(st.text("aZ0159,/?SHDC \n-٣"))
@example("a/0//")
@example(",/00//")
def test_a_text_that_reads_as_a_position_is_its_text(text: str) -> None:
    try:
        position = Position.parse(text)
    except InvalidPosition:
        return
    assert position.text == text


@pytest.mark.parametrize(
    ("columns", "stock", "runs", "message"),
    [
        ([["1S"]], [], "", "no such card"),
        ([["AX"]], [], "", "no such card"),
        ([["as"]], [], "", "no such card"),
        ([["10S"]], [], "", "no such card"),
        ([[""]], [], "", "no such card"),
        ([["?"]], [], "", "no such card"),
        ([["??"]], [], "", "no such card"),
        ([["??AS"]], [], "", "no such card"),
        ([["AS "]], [], "", "no such card"),
        ([["AS?"]], [], "", "no such card"),
        ([["KS"]], ["1S"], "", "no such card"),
        ([["KS"]], ["??"], "", "no such card"),
        ([["KS", "?AS"]], [], "", "column 0: a face-down card on a face-up one"),
        ([[], ["?KS", "QS", "?AS"]], [], "", "column 1: a face-down card on a face-up one"),
        ([["KS"]], [], "X", "no such suit"),
        ([["KS"]], [], "s", "no such suit"),
        ([["KS"]], [], "SS ", "no such suit"),
        ([["KS"]], [], ["SH"], "no such suit"),
    ],
)
def test_no_other_names_are_a_position(
    columns: list[list[str]], stock: list[str], runs: list[str], message: str
) -> None:
    with pytest.raises(InvalidPosition, match=message):
        Position.read(columns, stock, runs)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        ".",
        ".-",
        "1",
        "1-2",
        "1.",
        ".1",
        "1.2-",
        "1.-2",
        ".1-2",
        "1.2.3",
        "1.2-3-4",
        "1.2-3.4",
        "1,2-3",
        " 1.2-3",
        "1.2-3 ",
        "1.2-3\n",
        "1. 2-3",
        "+1.2-3",
        "-1.2-3",
        "1.-2-3",
        "1.2--3",
        "1_0.2-3",
        "1e1.2-3",
        "0x1.2-3",
        "1.2-1000",
        "1000.2",
        "1" * 10**5 + ".2-3",
        "\N{ARABIC-INDIC DIGIT ONE}.2-3",
        "²5.1-2",
        "1.2–3",
        "DEAL",
        "deal ",
        "Undo",
        "redo\n",
        "move",
        "auto",
        "a.b-c",
        "None",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_other_text_is_an_action(text: str) -> None:
    with pytest.raises(InvalidMove, match="no move"):
        parse_action(text)


@STEADY
@given(st.text())
@example("1.2-3")
def test_any_text_is_an_action_or_an_invalid_move(text: str) -> None:
    try:
        action = parse_action(text)
    except InvalidMove:
        return
    assert parse_action(action.text) == action


WISHES: list[object] = [
    None,
    True,
    0,
    1.5,
    "",
    "move",
    "Deal",
    "1.2-3",
    {},
    {"from": 0, "at": 0, "to": 1},
    [],
    [0],
    [0, 0],
    [0, 0, 1, 0],
    [0, 0, "1"],
    [0, 0, 1.0],
    [0, 0, None],
    [0, True, 1],
    [False, 0, 1],
    [[0], 0, 1],
    ["deal"],
    ["auto"],
    ["auto", 0],
    ["auto", 0, 0, 0],
    ["auto", 0, "0"],
    ["auto", True, 0],
    ["Auto", 0, 0],
    [-1, 0, 1],
    [0, -1, 1],
    [0, 0, -1],
    [10, 0, 0],
    [0, 0, 10],
    [0, 0, 10**30],
    ["auto", 10, 0],
    ["auto", 0, -1],
]


@pytest.mark.parametrize("wish", WISHES, ids=repr)
@pytest.mark.parametrize("key", ["moves", "actions"])
def test_a_record_with_something_that_is_no_move_of_its_table_is_malformed(wish: object, key: str) -> None:
    """G-10: an error, where a move that is only against the rules is a refusal."""
    good = {name: value for name, value in RECORD.items() if name != "moves"}
    assert replay({**good, key: ["deal"]})["steps"][0]["ok"] is False
    with pytest.raises(InvalidRecord, match=r"no move|no column"):
        replay({**good, key: ["deal", wish]})


@pytest.mark.parametrize("wish", WISHES[:27], ids=repr)
def test_what_asks_for_no_action_is_an_invalid_move(wish: object) -> None:
    with pytest.raises(InvalidMove, match="no move"):
        read_action(wish)


@pytest.mark.parametrize("record", [None, True, 5, "", "SS1-S1-AAAAABD", [], [RECORD]], ids=repr)
def test_what_is_no_object_is_no_record(record: object) -> None:
    with pytest.raises(InvalidRecord, match="not an object"):
        replay(record)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"game": None}, "game: not a text"),
        ({"game": 1}, "game: not a text"),
        ({"game": ["scorpion"]}, "game: not a text"),
        ({"game": "spider"}, "no such game"),
        ({"game": ""}, "no such game"),
        ({"game": "Simple Simon"}, "no such game"),
        ({"game": "scorpion"}, "no such suits or rules"),
        ({"suits": None}, "no such suits or rules"),
        ({"suits": 3}, "no such suits or rules"),
        ({"suits": 0}, "no such suits or rules"),
        ({"suits": "4"}, "no such suits or rules"),
        ({"suits": [4]}, "no such suits or rules"),
        ({"suits": True}, "no such suits or rules"),
        ({"suits": 4.0}, "no such suits or rules"),
        ({"columns": None}, "columns: not a list"),
        ({"columns": {}}, "columns: not a list"),
        ({"columns": "AS"}, "columns: not a list"),
        ({"columns": ["AS"] * 10}, "columns: not a list"),
        ({"columns": [None] * 10}, "columns: not a list"),
        ({"columns": []}, "has 10 columns, not 0"),
        ({"columns": COLUMNS[:9]}, "has 10 columns, not 9"),
        ({"columns": [*COLUMNS, []]}, "has 10 columns, not 11"),
        ({"columns": [["XX"], *COLUMNS[1:]]}, "no such card"),
        ({"columns": [[5], *COLUMNS[1:]]}, "no such card"),
        ({"columns": [[None], *COLUMNS[1:]]}, "no such card"),
        ({"columns": [[["AS"]], *COLUMNS[1:]]}, "no such card"),
        ({"columns": [[{}], *COLUMNS[1:]]}, "no such card"),
        ({"columns": [["AS", "?2S"], *COLUMNS[1:]]}, "face-down card on a face-up one"),
        ({"stock": None}, "stock: not a list"),
        ({"stock": "AS"}, "stock: not a list"),
        ({"stock": ["AS"]}, "stock of simple-simon has 0 cards, not 1"),
        ({"stock": ["XX"]}, "no such card"),
        ({"stock": [3]}, "no such card"),
        ({"moves": None}, "moves: not a list"),
        ({"moves": "deal"}, "moves: not a list"),
        ({"moves": {"0": "deal"}}, "moves: not a list"),
        ({"actions": "undo"}, "actions: not a list"),
        ({"actions": 5}, "actions: not a list"),
        ({"start_score": "500"}, "start_score: not a whole number"),
        ({"start_score": 1.5}, "start_score: not a whole number"),
        ({"start_score": True}, "start_score: not a whole number"),
        ({"start_score": None}, "start_score: not a whole number"),
        ({"start_moves": "0"}, "start_moves: not a whole number"),
        ({"start_moves": [1]}, "start_moves: not a whole number"),
        ({"start_removed": "S"}, "start_removed: not a list"),
        ({"start_removed": 1}, "start_removed: not a list"),
        ({"start_removed": ["X"]}, "no such suit"),
        ({"start_removed": [1]}, "no such suit"),
        ({"start_removed": [[]]}, "no such suit"),
        ({"start_removed": ["SH"]}, "no such suit"),
    ],
    ids=lambda value: repr(value)[:60] if isinstance(value, Mapping) else "",
)
def test_a_record_with_one_wrong_part_is_malformed(wrong: dict[str, Any], message: str) -> None:
    replay(RECORD)
    with pytest.raises(InvalidRecord, match=message):
        replay({**RECORD, **wrong})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rules": None}, "no such suits or rules"),
        ({"rules": "hard"}, "no such suits or rules"),
        ({"rules": 1}, "no such suits or rules"),
        ({"columns": COLUMNS}, "has 7 columns, not 10"),
        ({"stock": ["AS"]}, "stock of scorpion has 3 cards, not 1"),
        ({"stock": ["AS"] * 4}, "stock of scorpion has 3 cards, not 4"),
    ],
)
def test_a_record_of_scorpion_with_one_wrong_part_is_malformed(wrong: dict[str, Any], message: str) -> None:
    replay(SCORPION)
    with pytest.raises(InvalidRecord, match=message):
        replay({**SCORPION, **wrong})


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"moves": []},
        {"game": "scorpion", "rules": "classic"},
        {"code": None},
        {"code": 5},
        {"code": ["SS1-S1-AAAAABD"]},
    ],
    ids=repr,
)
def test_a_record_without_columns_needs_a_code(record: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecord, match="code: not a text"):
        replay(record)


@pytest.mark.parametrize("code", ["", "SS1-S1-AAAAAB", "SS1-S3-AAAAABD", "SS1 S1 AAAAABD", " SS1-S1-AAAAABD", "ß"])
def test_a_record_takes_a_code_in_its_canonical_form_only(code: str) -> None:
    """SS-10."""
    with pytest.raises(InvalidRecord, match=r"unknown|letters"):
        replay({"code": code})


def test_a_record_of_a_code_alone_shows_its_deal() -> None:
    """SS-10: in either case, and without any move."""
    result = replay({"code": "ss1-s4-aaaaabd"})
    assert result["columns"] == parse_code("SS1-S4-AAAAABD").deal().names()
    assert (result["id"], result["steps"], result["score"], result["moves"]) == (None, [], 500, 0)


def test_a_record_may_begin_with_any_cards_score_moves_and_runs() -> None:
    """Fewer cards than 52 or more, a negative score, and both spellings of a game's name."""
    columns = [["KS"] * 60, ["QH"], *COLUMNS[2:]]
    record = {**RECORD, "game": "simple_simon", "columns": columns, "start_score": -7, "start_moves": 30}
    result = replay({**record, "start_removed": ["S", "S"], "moves": [[1, 0, 0]]})
    assert result["steps"] == [{"ok": True, "score": -8, "moves": 31}]
    assert (result["removed"], result["undo"], result["won"]) == (["S", "S"], 1, False)
    assert result["columns"][0] == ["KS"] * 60 + ["QH"]


def test_a_record_shows_the_hidden_cards_of_its_end_marked_as_hidden() -> None:
    position = scorpion_example()
    stock = [NAMES[card] for card in position.stock]
    result = replay({**SCORPION, "columns": position.names(hidden="?{}"), "stock": stock})
    assert result["columns"][0] == ["?2S", "?4S", "?5S", "3D", "JH", "TH", "3S"]
    assert result["stock"] == ["6C", "TC", "KC"]
    assert len(result["legal_moves"]) == 3


def test_tables_are_written_as_they_are_read() -> None:
    """The short ways of the tests themselves: padding, hidden cards, and sequences of one suit."""
    assert shown(scorpion("?4H 9D", "", "TD")) == ["?4H 9D", "", "TD"]
    assert (len(scorpion().columns), len(simple_simon().columns)) == (7, 10)
    assert (down("4H", "2H"), down("KS", "AS").split()[::12]) == ("4H 3H 2H", ["KS", "AS"])
    assert begin(FOUR_SUITS, simple_simon("5S", "4S"), Move(1, 0, 0)).made == 1
