"""The rule documents are complete and agree with one another."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bohn.rules.editions import EDITIONS
from bohn.rules.ruleset import Rules

RULES = Path(__file__).parents[2] / "docs" / "rules"
DOCUMENTS = ("RU", "IS", "IT", "JP", "SV")
CITATION = re.compile(rf'({"|".join(DOCUMENTS)}) "(.+?)" §(\d+)(?:\.(\d+)(?:-(\d+))?)?(?: : "(.+)")?')
PLACE = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-(\d+))?")
RULING = re.compile(r"^### ([a-z0-9]+(?:-[a-z0-9]+)*): \S.*$", re.MULTILINE)
PARTS = ("**Readings.**", "**Choice.**", "**Reason.**", "**Clauses.**")

Place = tuple[int, int, int]

POLICIES: dict[str, dict[str, str]] = {
    "reshuffle": {"eager": "RESHUFFLE-2", "when_needed": "RESHUFFLE-3"},
    "singles": {"while_another_has_two": "HARVEST-4", "all_single": "HARVEST-5"},
    "same_kind": {"may_split": "FIELD-3", "must_join": "FIELD-3", "next_higher": "DD-3"},
    "harvest": {"any_time": "HARVEST-1", "own_turn": "DUEL-2"},
    "closing": {"active": "TRADE-11", "unanimous": "TRADE-12"},
    "payment": {"topmost": "BUY-3", "chosen": "BUY-4"},
    "coins_to": {"discard": "BUY-1", "box": "DUEL-3"},
    "end": {"after_planting": "END-2", "at_once": "END-4", "plant_first": "HOUSE-3"},
    "tie": {"most_hand_cards": "TIE-1", "shared": "TIE-3"},
    "match": {"whole_field": "DD-21", "contiguous_part": "DD-21"},
    "rest": {"must_plant": "DD-12", "may_discard": "DD-12"},
    "bluff": {"ends": "DD-10", "continues": "DD-10"},
    "trading": {"no": "DD-6", "also": "DD-6"},
}
"""The clause of each value of each policy. A new policy, or a new value of one, needs a line here."""


def load(name: str) -> dict[str, Any]:
    """Return one of the machine-readable rule documents."""
    return tomllib.loads((RULES / name).read_text(encoding="utf-8"))


def clauses() -> list[dict[str, Any]]:
    """Return the clauses in their printed order."""
    found: list[dict[str, Any]] = load("clauses.toml")["clause"]
    return found


def headings() -> dict[str, list[dict[str, Any]]]:
    """Return the headings of each document."""
    return {document["id"]: document["heading"] for document in load("sources.toml")["document"]}


def sentences(document: str) -> list[Place]:
    """Return every sentence of a document as heading, paragraph, sentence."""
    return [
        (heading["number"], paragraph, sentence)
        for heading in headings()[document]
        for paragraph, count in enumerate(heading["sentences"], 1)
        for sentence in range(1, count + 1)
    ]


def places(at: str) -> list[Place]:
    """Return the sentences that one entry of the coverage stands for."""
    match = PLACE.fullmatch(at)
    assert match, f"no place: {at}"
    heading, paragraph, first = (int(part) for part in match.groups()[:3])
    return [(heading, paragraph, sentence) for sentence in range(first, int(match[4] or first) + 1)]


def rulings() -> dict[str, str]:
    """Return the text of each ruling by its id."""
    text = (RULES / "rulings.md").read_text(encoding="utf-8")
    found = list(RULING.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    sections = [text[match.end() : end].split("\n## ")[0] for match, end in zip(found, ends, strict=True)]
    return {match[1]: section for match, section in zip(found, sections, strict=True)}


def clauses_of(ruling: str) -> set[str]:
    """Return the clause ids in the last part of a ruling."""
    return set(re.findall(r"[A-Z]+-\d+", ruling.partition("**Clauses.**")[2]))


def rulings_cited(clause: dict[str, Any]) -> list[str]:
    """Return the ids of the rulings that a clause cites."""
    return [cite.removeprefix("ruling: ") for cite in clause["cites"] if cite.startswith("ruling: ")]


def covered() -> set[str]:
    """Return every clause id that the coverage names."""
    coverage = load("coverage.toml")
    return {
        clause for entries in coverage.values() for entry in entries for clause in entry.get("clauses", ())
    }


def test_clause_ids_are_unique() -> None:
    """No two clauses have the same id."""
    repeated = [clause for clause, count in Counter(c["id"] for c in clauses()).items() if count > 1]
    assert repeated == []


def test_clause_ids_count_up_in_each_family() -> None:
    """An id is a family in capitals and a number, and the numbers of a family run from 1 without a gap."""
    families: dict[str, list[int]] = {}
    for clause in clauses():
        match = re.fullmatch(r"([A-Z]+)-(\d+)", clause["id"])
        assert match, clause["id"]
        families.setdefault(match[1], []).append(int(match[2]))
    assert families == {family: list(range(1, len(numbers) + 1)) for family, numbers in families.items()}


def test_clauses_have_a_title_a_text_and_a_citation() -> None:
    """Every clause has a title of at most eight words, a text that ends, and at least one citation."""
    incomplete = [
        c["id"]
        for c in clauses()
        if not (0 < len(c["title"].split()) <= 8 and c["text"].endswith(".") and c["cites"])
    ]
    assert incomplete == []


def test_clauses_have_only_known_keys() -> None:
    """A clause holds an id, a title, a text, editions and citations, and nothing else."""
    known = {"id", "title", "text", "editions", "cites"}
    assert {key for clause in clauses() for key in clause} <= known


def test_clauses_name_only_known_editions() -> None:
    """Where a clause belongs to some editions only, these exist."""
    assert {edition for clause in clauses() for edition in clause.get("editions", ())} <= EDITIONS.keys()


def clauses_for(edition: str) -> set[str]:
    """Return the clauses that apply to an edition."""
    return {clause["id"] for clause in clauses() if edition in clause.get("editions", EDITIONS)}


def matters(policy: str, rules: Rules) -> bool:
    """Tell whether a game asks for a policy: some are for trading, for purchases, or for gifts only."""
    if policy == "closing":
        return rules.game == "main" or rules.trading == "also"
    if policy in ("payment", "coins_to"):
        return rules.max_fields > rules.fields
    return bool(rules.bonus_cards) or policy not in ("match", "rest", "bluff", "trading")


def policy_clauses(edition: str) -> set[str]:
    """Return the clauses of the policy values that an edition has, over all numbers of players."""
    return {
        clause_of[getattr(rules, policy)]
        for rules in EDITIONS[edition].values()
        for policy, clause_of in POLICIES.items()
        if matters(policy, rules)
    }


def test_every_policy_is_in_the_table_of_clauses() -> None:
    """What editions may choose by name has a line in the table above."""
    literal = {name for name, kind in Rules.__annotations__.items() if "Literal[" in str(kind)}
    assert literal == set(POLICIES)


@pytest.mark.parametrize("edition", EDITIONS)
def test_edition_has_the_clause_of_each_of_its_policies(edition: str) -> None:
    """What is special about an edition is among the clauses that are shown for it."""
    missing = policy_clauses(edition) - clauses_for(edition)
    assert not missing, ", ".join(sorted(missing))


@pytest.mark.parametrize("edition", EDITIONS)
def test_edition_has_no_clause_of_a_policy_it_lacks(edition: str) -> None:
    """A clause with a list of editions is not shown for one that has another value of its policy."""
    listed = {clause["id"] for clause in clauses() if "editions" in clause} - {"DD-23"}
    of_policies = {clause for clause_of in POLICIES.values() for clause in clause_of.values()}
    wrong = clauses_for(edition) & of_policies & listed - policy_clauses(edition)
    assert not wrong, ", ".join(sorted(wrong))


def kinships(edition: str) -> set[Any]:
    """Return what an edition may share with others: its games, and its tables by players and deck."""
    tables = EDITIONS[edition].values()
    return {rules.game for rules in tables} | {(rules.game, rules.players, rules.deck) for rules in tables}


@pytest.mark.parametrize("edition", EDITIONS)
def test_edition_has_the_clauses_that_all_its_kin_have(edition: str) -> None:
    """What holds in all other editions of a game, or with the same deck, holds here, policies aside."""
    of_policies = {clause for clause_of in POLICIES.values() for clause in clause_of.values()} | {"TIE-2"}
    missing: set[str] = set()
    for shared in kinships(edition):
        kin = [clauses_for(other) for other in EDITIONS if other != edition and shared in kinships(other)]
        missing |= set.intersection(*kin) - of_policies - clauses_for(edition) if kin else set()
    assert not {clause for clause in missing if trades(edition) or not clause.startswith(OF_TRADING)}


OF_TRADING = ("TRADE-", "GIFT-", "OFFER-", "SETASIDE-")
"""The families of clauses that hold only where beans are traded."""


def trades(edition: str) -> bool:
    """Tell whether beans are traded in an edition."""
    return any(rules.game == "main" or rules.trading == "also" for rules in EDITIONS[edition].values())


def test_citations_are_places_rulings_or_secondary() -> None:
    """A citation names a place of a document, a ruling, or another publication marked secondary."""
    strange = [
        (clause["id"], cite)
        for clause in clauses()
        for cite in clause["cites"]
        if not (CITATION.fullmatch(cite) or re.fullmatch(r"(?:ruling|secondary): \S.*", cite))
    ]
    assert strange == []


def test_citations_resolve_to_a_paragraph_and_sentence() -> None:
    """A cited heading, paragraph and sentence exist in the document."""
    counts = {
        document: {heading["title"]: heading["sentences"] for heading in found}
        for document, found in headings().items()
    }
    for clause in clauses():
        for cite in clause["cites"]:
            match = CITATION.fullmatch(cite)
            if match is None:
                continue
            document, heading, paragraph, first, last, _ = match.groups()
            found = counts[document].get(heading, [])
            assert 1 <= int(paragraph) <= len(found), (clause["id"], cite)
            start, end = int(first or 1), int(last or first or 1)
            assert 1 <= start <= end <= found[int(paragraph) - 1], (clause["id"], cite)


def test_citations_name_only_known_rulings() -> None:
    """A cited ruling exists."""
    cited = {ruling for clause in clauses() for ruling in rulings_cited(clause)}
    assert cited - set(rulings()) == set()


def test_quotes_have_at_most_eight_words() -> None:
    """No quotation is longer than eight words, or than 60 signs where words are not spaced."""
    matches = (CITATION.fullmatch(cite) for clause in clauses() for cite in clause["cites"])
    quotes = [match[6] for match in matches if match and match[6]]
    assert [quote for quote in quotes if len(quote.split()) > 8 or len(quote) > 60] == []


def test_sources_are_the_five_documents() -> None:
    """The documents are RU, IS, IT, JP and SV."""
    assert tuple(headings()) == DOCUMENTS


def test_headings_are_numbered_in_order_and_unique() -> None:
    """The headings of a document count up from 1, and none is there twice."""
    for document, found in headings().items():
        assert [heading["number"] for heading in found] == list(range(1, len(found) + 1)), document
        assert len({heading["title"] for heading in found}) == len(found), document


def test_coverage_covers_every_sentence_once() -> None:
    """Every sentence of every document is covered exactly once, and no sentence that is not there."""
    coverage = load("coverage.toml")
    assert tuple(coverage) == DOCUMENTS
    for document, entries in coverage.items():
        found = Counter(place for entry in entries for place in places(entry["at"]))
        assert found == Counter(sentences(document)), document


def test_coverage_gives_clauses_or_a_reason() -> None:
    """A sentence has clauses, or a reason why it is no rule, and never both."""
    wrong = [
        (document, entry["at"])
        for document, entries in load("coverage.toml").items()
        for entry in entries
        if set(entry) not in ({"at", "clauses"}, {"at", "flavour"}) or not all(entry.values())
    ]
    assert wrong == []


EXCLUSIVE = (
    {"HARVEST-4", "HARVEST-5"},
    {"TIE-1", "TIE-3"},
    {"TRADE-11", "TRADE-12"},
    {"BUY-3", "BUY-4"},
    {"RESHUFFLE-2", "RESHUFFLE-3"},
    {"END-2", "END-4"},
)
"""Clauses of which only one can be what a sentence says."""


def test_coverage_gives_a_sentence_one_reading() -> None:
    """No sentence stands for two clauses that exclude one another."""
    both = [
        (document, entry["at"])
        for document, entries in load("coverage.toml").items()
        for entry in entries
        if any(pair <= set(entry.get("clauses", ())) for pair in EXCLUSIVE)
    ]
    assert both == []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("30.2.1", "lie in their order between the players"),
        ("30.2.6", "order of the hand is never changed"),
        ("36.4.2", "lies face up beside its owner's coins, and counts at the end"),
    ],
)
def test_coverage_leads_to_a_clause_that_says_it(place: str, words: str) -> None:
    """What the document on Das Duell says of its table stands in the clause that it is mapped to."""
    texts = {clause["id"]: clause["text"] for clause in clauses()}
    (entry,) = (entry for entry in load("coverage.toml")["JP"] if places(place)[0] in places(entry["at"]))

    assert any(words in texts[clause] for clause in entry["clauses"])


def test_coverage_names_only_known_clauses() -> None:
    """Every clause of the coverage exists."""
    assert covered() - {clause["id"] for clause in clauses()} == set()


def test_clauses_come_from_a_sentence_a_ruling_or_another_publication() -> None:
    """Every clause is the meaning of some sentence, or rests on a ruling, or is marked secondary."""
    ruled = {clause for ruling in rulings().values() for clause in clauses_of(ruling)}
    secondary = {c["id"] for c in clauses() if any(cite.startswith("secondary: ") for cite in c["cites"])}
    assert {c["id"] for c in clauses()} - covered() - ruled - secondary == set()


def test_citations_of_a_document_agree_with_the_coverage() -> None:
    """Where a clause cites a paragraph, the coverage maps some sentence of that citation to the clause."""
    numbers = {
        document: {heading["title"]: heading["number"] for heading in found}
        for document, found in headings().items()
    }
    mapped = {
        (document, place, clause)
        for document, entries in load("coverage.toml").items()
        for entry in entries
        for place in places(entry["at"])
        for clause in entry.get("clauses", ())
    }
    for clause in clauses():
        for match in filter(None, (CITATION.fullmatch(cite) for cite in clause["cites"])):
            heading, first = numbers[match[1]][match[2]], int(match[4] or 1)
            last = int(match[5] or match[4] or 99)
            cited = {(match[1], (heading, int(match[3]), s), clause["id"]) for s in range(first, last + 1)}
            assert cited & mapped, (clause["id"], match[0])


def table_of_policies() -> dict[str, dict[str, str]]:
    """Return the table of policies in the rulings: by policy and edition, what it says."""
    lines = (RULES / "rulings.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")
    ]
    start = next(i for i, row in enumerate(rows) if row[0] == "policy")
    return {row[0]: dict(zip(rows[start][1:], row[1:], strict=True)) for row in rows[start + 1 :]}


@pytest.mark.parametrize("edition", EDITIONS)
def test_rulings_say_the_policies_of_every_edition(edition: str) -> None:
    """The table has for each policy the value of the edition, or says in words why it has none."""
    table = table_of_policies()
    wrong = [
        (policy, by_edition[edition])
        for policy, by_edition in table.items()
        for rules in EDITIONS[edition].values()
        if by_edition[edition].split(" ")[0] != getattr(rules, policy)
        and (policy not in POLICIES or matters(policy, rules))
    ]

    assert set(POLICIES) - table.keys() == {"harvest", "coins_to"}  # those of the bean duel
    assert wrong == []


def test_ruling_ids_are_unique() -> None:
    """No two rulings have the same id."""
    found = RULING.findall((RULES / "rulings.md").read_text(encoding="utf-8"))
    assert sorted(set(found)) == sorted(found)


def test_every_third_level_heading_of_the_rulings_is_a_ruling() -> None:
    """No section of the rulings escapes the checks by a malformed heading."""
    lines = (RULES / "rulings.md").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("### ") for line in lines) == len(rulings())


def test_rulings_have_all_parts_in_order() -> None:
    """A ruling gives the readings, the choice, the reason and the clauses, in this order."""
    for ruling, text in rulings().items():
        assert tuple(re.findall(r"^\*\*[A-Z][a-z]+\.\*\*", text, re.MULTILINE)) == PARTS, ruling


def test_rulings_name_only_known_clauses() -> None:
    """A ruling names at least one clause, and all of them exist."""
    known = {clause["id"] for clause in clauses()}
    for ruling, text in rulings().items():
        assert clauses_of(text), ruling
        assert clauses_of(text) <= known, ruling


def test_rulings_list_every_clause_that_cites_them() -> None:
    """A clause that cites a ruling stands in the list of that ruling."""
    texts = rulings()
    missing = [
        (clause["id"], ruling)
        for clause in clauses()
        for ruling in rulings_cited(clause)
        if clause["id"] not in clauses_of(texts[ruling])
    ]
    assert missing == []


def test_sources_page_lists_every_document_and_heading() -> None:
    """The readable page has each heading of each document with its number and its counts."""
    page = (RULES / "sources.md").read_text(encoding="utf-8").splitlines()
    for document in load("sources.toml")["document"]:
        assert f"## {document['id']}: {document['title']}" in page
        for heading in document["heading"]:
            counts = ", ".join(map(str, heading["sentences"])) or "-"
            row = f"| {heading['number']} | {heading['title']} | {len(heading['sentences'])} | {counts} |"
            assert row in page, (document["id"], heading["number"])
