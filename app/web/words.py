"""Cards, columns, refusals and results in words, in the reader's language."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, cached_property, lru_cache

from babel.dates import format_datetime

from app.engine.cards import NAMES, RANKS, SUITS
from app.engine.codes import CodeFault
from app.engine.moves import Action, Auto, Command
from app.engine.play import Dealt, Event, Flipped, Moved, Removed
from app.engine.position import Position
from app.engine.rules import Rule, Rules
from app.web.i18n import translations


def N_(message: str) -> str:  # noqa: N802, the name that the extraction of messages knows
    """Mark a sentence for the catalogues where it is not yet to be translated."""
    return message


_SUITS = dict(zip(SUITS, (N_("spades"), N_("hearts"), N_("diamonds"), N_("clubs")), strict=True))
_COURT = {"A": N_("ace"), "J": N_("jack"), "Q": N_("queen"), "K": N_("king")}

_GAMES = {"simple-simon": N_("Simple Simon"), "scorpion": N_("Scorpion")}
_CHOICES: dict[str | int, str] = {
    1: N_("1 suit"),
    2: N_("2 suits"),
    4: N_("4 suits"),
    "classic": N_("classic rules"),
    "relaxed": N_("relaxed rules"),
}
_NAMES: dict[str | int, str] = {
    1: N_("Easy"),
    2: N_("Medium"),
    4: N_("Hard"),
    "classic": N_("Classic rules"),
    "relaxed": N_("Relaxed rules"),
}

_ABOUT: dict[str | int, str] = {
    1: N_("1 suit: spades"),
    2: N_("2 suits: spades and hearts"),
    4: N_("4 suits"),
    "classic": N_("A card goes onto the next higher one of its own suit."),
    "relaxed": N_("A card goes onto the next higher one of any suit."),
}

_RULES = {
    Rule.STOCK_EMPTY: N_("There is no stock left to deal"),
    Rule.NO_CARD: N_("There is no card there"),
    Rule.SAME_COLUMN: N_("The cards are in that column already"),
    Rule.FACE_DOWN: N_("A face-down card cannot be moved"),
    Rule.NOT_A_SEQUENCE: N_("Rule: the ranks of a group must descend one by one"),
    Rule.MIXED_SUITS: N_("Rule: a group moves together only if it is all of one suit"),
    Rule.KING_ONLY: N_("Only a king can be moved to an empty column"),
    Rule.ONTO_ACE: N_("Rule: nothing can be placed on an ace"),
    Rule.WRONG_RANK: N_("Rule: a card goes onto one that is exactly one rank higher"),
    Rule.WRONG_SUIT: N_("Rule: the cards must be of the same suit"),
    Rule.NO_PLACE: N_("No column is a good place for these cards"),
    Rule.NOTHING_TO_UNDO: N_("There is nothing to undo"),
    Rule.NOTHING_TO_REDO: N_("There is nothing to redo"),
}

_CODE_FAULTS = {
    CodeFault.GAME: N_(
        "No game has a code that begins like this. Codes begin with SS1 (Simple Simon) or SC1 (Scorpion)."
    ),
    CodeFault.SUITS: N_("The number of suits is unknown: after SS1 comes S1, S2 or S4."),
    CodeFault.RULES: N_("The rules are unknown: after SC1 comes C (classic) or R (relaxed)."),
    CodeFault.NOT_LETTERS: N_("The deal is named by 7 letters from A to Z; there is something else among them."),
    CodeFault.TOO_FEW: N_("The deal is named by 7 letters from A to Z; there are too few of them."),
    CodeFault.TOO_MANY: N_("The deal is named by 7 letters from A to Z; there are too many of them."),
    CodeFault.HYPHENS: N_("The hyphens of the code stand elsewhere: it is written like SS1-S4-AAAAABD."),
}


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        catalogue = translations(language)
        self.gettext: Callable[[str], str] = catalogue.gettext
        self.ngettext: Callable[[str, str, int], str] = catalogue.ngettext
        self.pgettext: Callable[[str, str], str | object] = catalogue.pgettext
        self._placed = cache(self._say_placed)

    @cached_property
    def cards(self) -> dict[str, str]:
        """The name of each card's letter: "hertta 3", "herttakuningas"."""
        return {letter: self._card(*name) for letter, name in NAMES.items()}

    def _card(self, rank: str, suit: str) -> str:
        suit_word = self.gettext(_SUITS[suit])
        if rank in _COURT:
            pattern, rank_word = self.pgettext("court card", "%(rank)s of %(suit)s"), self.gettext(_COURT[rank])
        else:
            pattern, rank_word = self.pgettext("number card", "%(rank)s of %(suit)s"), str(RANKS.index(rank) + 1)
        return str(pattern) % {"rank": rank_word, "suit": suit_word}

    def suit(self, suit: str) -> str:
        """Return the name of a suit's letter."""
        return self.gettext(_SUITS[suit])

    def game(self, rules: Rules) -> str:
        """Return the name of a game."""
        return self.gettext(_GAMES[rules.game])

    def choice(self, rules: Rules) -> str:
        """Return the rules in play in a few words: "4 maata", "klassiset säännöt" (G-9)."""
        return self.gettext(_CHOICES[rules.choice[1]])

    def choice_name(self, rules: Rules) -> str:
        """Return a variant's name in the dialog of a new game: "Helppo", "Klassiset säännöt" (SS-2, SC-3)."""
        return self.gettext(_NAMES[rules.choice[1]])

    def choice_about(self, rules: Rules) -> str:
        """Return what a variant means, for the dialog of a new game."""
        return self.gettext(_ABOUT[rules.choice[1]])

    def when(self, moment: datetime) -> str:
        """Return a moment as a reader writes it."""
        return _when(moment, self.language)

    def points(self, points: int) -> str:
        """Return what an action was worth, as a sentence."""
        number = f"+{points}" if points > 0 else self.number(points)
        return self.ngettext("%(number)s point.", "%(number)s points.", abs(points)) % {"number": number}

    def number(self, number: int) -> str:
        """Return a number with the sign of a minus, not of a hyphen, in front of a negative one."""
        return str(number).replace("-", "−")

    def column(self, index: int, cards: int, down: int, end: str) -> str:
        """Return what a column is: its number, how many cards it has, how many are hidden, and the name of the last."""
        name = self.gettext("Column %(number)s") % {"number": index + 1}
        if not cards:
            return self.gettext("%(column)s, empty") % {"column": name}
        size = self.ngettext("%(count)s card", "%(count)s cards", cards) % {"count": cards}
        parts = [name, size]
        if down:
            parts.append(self.gettext("%(count)s face down") % {"count": down})
        if down < cards:
            parts.append(self.gettext("%(card)s at the end") % {"card": end})
        return ", ".join(parts)

    def rule(self, rule: Rule) -> str:
        """Return the rule that refused an action, as a sentence without its full stop (SS-9, SC-4)."""
        return self.gettext(_RULES[rule])

    def refused(self, rule: Rule, position: Position, action: Action) -> str:
        """Return which cards and columns a rule refused, as a sentence, or nothing where there is no more to say."""
        if isinstance(action, Command) or rule in (Rule.NO_CARD, Rule.FACE_DOWN):
            return ""
        source, at = action[:2]
        values = {"card": _capital(self.cards[position.columns[source][at]]), "source": source + 1}
        if isinstance(action, Auto):
            return self.gettext("%(card)s stays in column %(source)s.") % values
        values["target"] = action.target + 1
        if not position.columns[action.target]:
            return self.gettext("%(card)s, column %(source)s → empty column %(target)s.") % values
        values["top"] = self.cards[position.columns[action.target][-1]]
        return self.gettext("%(card)s, column %(source)s → %(top)s, column %(target)s.") % values

    def result(self, action: Action, events: Sequence[Event]) -> str:
        """Return what an action did, in short sentences that are spoken once."""
        if action is Command.UNDO:
            return self.gettext("The latest move was taken back.")
        return " ".join([sentence for event in events if (sentence := self._event(event))])

    def _event(self, event: Event) -> str:
        match event:
            case Moved():
                return self._placed(event.cards[0], len(event.cards), event.target)
            case Dealt():
                return self._placed(event.card, 1, event.column)
            case Removed(suit=suit):
                return self.gettext("A run left the table: %(suit)s.") % {"suit": self.suit(suit)}
            case Flipped(card=card, column=column):
                values = {"card": self.cards[card], "column": column + 1}
                return self.gettext("Turned up: %(card)s in column %(column)s.") % values
        return ""

    def _say_placed(self, card: str, count: int, column: int) -> str:
        values = {"card": _capital(self.cards[card]), "target": column + 1, "count": count}
        if count == 1:
            return self.gettext("%(card)s → column %(target)s.") % values
        return self.gettext("%(card)s, %(count)s cards → column %(target)s.") % values

    def code_fault(self, fault: CodeFault) -> str:
        """Return what is wrong with a text that is no game code (spec "Codes")."""
        return self.gettext(_CODE_FAULTS[fault])


@lru_cache(maxsize=10_000)
def _when(moment: datetime, language: str) -> str:
    return format_datetime(moment, "short", locale=language)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


words = lru_cache(Words)
"""The words of a language, made once."""
