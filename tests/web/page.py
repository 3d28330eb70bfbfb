"""A page or a piece of one, read as a browser without script reads it.

Only ids, names and values that the forms live by are used, so that the look of a page can change without its tests.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import httpx

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NEIGHBOURS = {"dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "li": {"li"}, "option": {"option"}, "p": {"p", "div", "section"}}
FACE = re.compile("([SHDC])([A23456789TJQK])")


class Node:
    """An element, its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node | str] = []

    def __getitem__(self, name: str) -> str:
        """The value of an attribute, which must be there."""
        return self.attributes[name]

    def walk(self) -> Iterator["Node"]:
        """Yield the element and every one inside it, in their order."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, tag: str = "", **attributes: str) -> list["Node"]:
        """Return the elements inside it of a tag, with these attributes."""
        wanted = attributes.items()
        return [node for node in self.walk() if tag in ("", node.tag) and wanted <= node.attributes.items()]

    @property
    def text(self) -> str:
        """What a reader sees of it, white space made single spaces."""
        pieces = [child if isinstance(child, str) else f" {child.text} " for child in self.children]
        return " ".join("".join(pieces).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # These elements may be left open where their next neighbour begins.
        while self._open[-1].tag in NEIGHBOURS and tag in NEIGHBOURS[self._open[-1].tag]:
            self._open.pop()
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute stands twice in <{tag}>"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        while self._open[-1].tag != tag:
            # These may be left open in HTML; whatever else is open shows a broken template.
            assert self._open[-1].tag in NEIGHBOURS, f"</{tag}> closes <{self._open[-1].tag}>"
            self._open.pop()
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def parsed(text: str) -> Node:
    """Return the element that holds all of a text of HTML."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.root


class Page:
    """An answer in HTML: a whole page, or the pieces with which htmx changes one."""

    def __init__(self, response: httpx.Response) -> None:
        assert response.headers["content-type"] == "text/html; charset=utf-8", response.headers
        self.address = response.url.path
        self.status = response.status_code
        self.source = response.text
        self.root = parsed(response.text)
        ids = [node["id"] for node in self.root.walk() if "id" in node.attributes]
        assert len(ids) == len(set(ids)), "an id stands twice on a page"

    @property
    def language(self) -> str:
        """The language that the page says it is in."""
        return self.root.all("html")[0]["lang"]

    @property
    def text(self) -> str:
        """What a reader sees of the page's body."""
        return self.root.all("body")[0].text

    def id(self, name: str) -> Node:
        """Return the element with an id."""
        return self.root.all(id=name)[0]

    def has(self, name: str) -> bool:
        """Return whether there is an element with an id."""
        return bool(self.root.all(id=name))

    @property
    def changed(self) -> list[int]:
        """The columns that are there."""
        return [index for index in range(10) if self.has(f"c{index}")]

    def column(self, index: int) -> list[str]:
        """Return the cards of a column, as JSON has them."""
        cards = self.id(f"c{index}").all("input", name="lift")
        places = [tuple(map(int, card["value"].split("."))) for card in cards]
        hidden = places[0][1] if places else 0
        assert places == [(index, at) for at in range(hidden, hidden + len(cards))], "a card is not known by its place"
        return ["??"] * hidden + [_face(card) for card in cards]

    @property
    def columns(self) -> list[list[str]]:
        """The cards of the columns that are there."""
        return [self.column(index) for index in self.changed]

    @property
    def score(self) -> int:
        """The score, which is written with a real minus sign."""
        text = self.id("score").text
        assert "-" not in text
        return int(text.replace("−", "-"))

    @property
    def moves(self) -> int:
        """The number of moves."""
        return int(self.id("moves").text)

    @property
    def legal(self) -> list[list[int]]:
        """The legal moves, as the page's script reads them."""
        moves = []
        for group in self.id("status")["data-legal"].split():
            place, targets = re.split("[-+]", group)
            source, at = map(int, place.split("."))
            moves += [[source, at, int(target)] for target in targets]
        return sorted(moves)

    @property
    def best(self) -> dict[str, int]:
        """The best column of each group that has one, by the group's place, as the page's script reads it."""
        groups = [group.split("+") for group in self.id("status")["data-legal"].split() if "+" in group]
        return {place: int(targets[0]) for place, targets in groups}

    @property
    def message(self) -> str:
        """The line that is spoken after an action."""
        return self.id("message").text

    def can(self, button: str) -> bool:
        """Return whether the undo, redo or deal button can be pressed."""
        return "disabled" not in self.id(button).attributes

    @property
    def table_address(self) -> str:
        """Where the form around the table leads."""
        form = self.id("table")
        assert form["method"] == "post"
        return form["action"]

    def swap(self, answer: "Page") -> None:
        """Put the pieces of an answer into the page, as htmx does."""
        for piece in answer.root.children:
            if isinstance(piece, Node):
                place = self.id(piece["id"])
                place.children = piece.children
                if piece["hx-swap-oob"] != "innerHTML":
                    place.attributes = piece.attributes
            else:
                assert not piece.strip(), "htmx would put this text nowhere"

    def beside(self) -> dict[str, tuple[object, ...]]:
        """Return the pieces beside the columns that not every action changes, by their ids, as what they show."""
        pieces: dict[str, tuple[object, ...]] = {}
        for name in ("game", "places", "deal", "undo", "redo", "outcome"):
            if self.has(name):
                node = self.id(name)
                shown = {key: value for key, value in node.attributes.items() if key != "hx-swap-oob"}
                pieces[name] = (
                    shown,
                    node.text,
                    [item["class"] for item in node.all("li") if "class" in item.attributes],
                )
        return pieces

    @property
    def table_fields(self) -> dict[str, str]:
        """What the form around the table sends of its own: the game, its version and the nonce; pieces hold it too."""
        around = self.id("table") if self.has("table") else self.root
        return {field["name"]: field["value"] for field in around.all("input", type="hidden")}

    @property
    def state(self) -> tuple[int, int, list[list[str]], list[list[int]], bool, bool]:
        """All that one state of the game shows: score, moves, columns, legal moves, undo and redo."""
        return self.score, self.moves, self.columns, self.legal, self.can("undo"), self.can("redo")


def still_columns(node: Node) -> list[list[str]]:
    """Return the cards of a table to look at, which has nothing to press or to send, as JSON has them."""
    columns = []
    for column in node.all("div", role="group"):
        cards = column.all("input")
        for card in cards:
            assert card.attributes.keys() == {"type", "disabled", "class", "aria-label"}
        assert not column.all("button")
        columns.append(["??"] * len(column.all("i")) + [_face(card) for card in cards])
    return columns


def _face(card: Node) -> str:
    faces = [match for word in card["class"].split() if (match := FACE.fullmatch(word))]
    assert len(faces) == 1
    return faces[0][2] + faces[0][1]
