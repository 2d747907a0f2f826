"""The catalogues of all languages say the same things, and the code says nothing that they do not have."""

import ast
import math
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import jinja2.nodes
import numpy as np
import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor
from hypothesis import given
from hypothesis import strategies as st

import ssdlab
from ssdlab.analysis.audit.rule import AuditRule
from ssdlab.analysis.audit.run import RULES
from ssdlab.errors import SsdlabError
from ssdlab.message import (
    AS_WRITTEN,
    VERBATIM,
    Listed,
    Message,
    Number,
    QuantityForm,
    Separator,
    ShownQuantity,
    Value,
    message,
    message_of,
    number,
    size,
    verbatim,
)
from ssdlab.message_json import message_as_json, message_from_json
from ssdlab.words import Language, ids, in_english, in_language

SOURCES = sorted(Path(ssdlab.__file__).parent.rglob("*.py"))
CATALOGUES = Path(ssdlab.__file__).parent / "words"
MADE_BY_THE_CATALOGUE = {"list-and", "list-or"}


def errors_for_users() -> set[str]:
    """The names of all errors that come from `SsdlabError`."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    }
    found = {"SsdlabError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return found


class Variables(Visitor):
    """Names of all values that a message needs."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802 - the library's name
        self.found.add(node.id.name)


def catalogue(language: Language) -> dict[str, set[str]]:
    """The variables of each message."""
    found: dict[str, set[str]] = {}
    for path in sorted((CATALOGUES / language.value).glob("*.ftl")):
        for entry in FluentParser().parse(path.read_text(encoding="utf-8")).body:
            assert not isinstance(entry, fluent.Junk), f"{path.name}: {entry.content}"
            if isinstance(entry, fluent.Message):
                assert entry.id.name not in found, f"{path.name}: {entry.id.name} stands twice"
                variables = Variables()
                variables.visit(entry)
                found[entry.id.name] = variables.found
    return found


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every `message(...)` of the code, with where it is."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "message":
                yield f"{path.name}:{node.lineno}", node


def template_calls() -> Iterator[tuple[str, str, set[str]]]:
    """Every `say(...)` of the templates: where it is, its id and the names of its values."""
    for path in sorted(Path(ssdlab.__file__).parent.rglob("*.j2")):
        for call in (
            jinja2.Environment(autoescape=True).parse(path.read_text(encoding="utf-8")).find_all(jinja2.nodes.Call)
        ):
            if isinstance(call.node, jinja2.nodes.Name) and call.node.name == "say":
                (said,) = call.args
                assert isinstance(said, jinja2.nodes.Const), f"{path.name}:{call.lineno}: an id that is not written out"
                yield f"{path.name}:{call.lineno}", said.value, {keyword.key for keyword in call.kwargs}


def test_the_templates_give_each_message_the_values_it_needs() -> None:
    english = catalogue(Language.ENGLISH)
    assert [(where, id_) for where, id_, given in template_calls() if given != english.get(id_)] == []


def test_both_languages_have_the_same_messages_with_the_same_values() -> None:
    assert catalogue(Language.KOREAN) == catalogue(Language.ENGLISH)


def test_the_code_gives_each_message_the_values_it_needs() -> None:
    english = catalogue(Language.ENGLISH)
    wrong = [
        f"{where}: {id_} with {sorted(given)}, not {sorted(english.get(id_, ()))}"
        for where, call in calls()
        if (id_ := written_id(call)) is not None
        and (given := {str(keyword.arg) for keyword in call.keywords}) != english.get(id_)
    ]
    assert wrong == []


def test_every_id_is_written_out_where_a_message_is_made() -> None:
    variable = [where for where, call in calls() if written_id(call) is None]
    assert [
        where for where in variable if not where.startswith(("catalogue.py", "message.py", "message_json.py"))
    ] == []


def written_id(call: ast.Call) -> str | None:
    said = call.args[0] if call.args else None
    return said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else None


def test_no_message_is_left_that_nobody_tells() -> None:
    told = {written_id(call) for _, call in calls()} | {id_ for _, id_, _ in template_calls()}
    assert set(catalogue(Language.ENGLISH)) - told - {AS_WRITTEN, VERBATIM} - MADE_BY_THE_CATALOGUE == set()


def errors_with_text() -> Iterator[str]:
    """Every error for the user that is made with a text in place of a message."""
    errors = errors_for_users()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors:
                written = (ast.JoinedStr, ast.Constant)
                yield from (f"{path.name}:{node.lineno}" for argument in node.args if isinstance(argument, written))


def test_errors_hold_messages() -> None:
    assert list(errors_with_text()) == []


def test_no_error_takes_a_text() -> None:
    """A text in a variable is no constant; there the types hold it, as long as the errors ask for messages."""
    hints = typing.get_type_hints(SsdlabError.__init__)
    assert (hints["message"], hints["hints"]) == (Message, Message)


_READ_OUT_OF_A_SENTENCE = re.compile(
    r"\b(finding|meaning|remedy|fault)\)?\.(startswith|endswith|r?partition|r?split|removeprefix|removesuffix|find|index)\("
    r"| in (str\()?[\w.]*\.(finding|meaning|remedy)\b"
)


def test_no_code_reads_what_a_check_found_out_of_its_sentence() -> None:
    parsing = [
        f"{path.name}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if _READ_OUT_OF_A_SENTENCE.search(line)
    ]
    assert parsing == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_language_has_what_a_rule_tells(rule: AuditRule) -> None:
    for told in (*rule.meaning.values(), rule.remedy):
        assert all(told.id in ids(language) for language in Language), told.id


@pytest.mark.parametrize("language", list(Language), ids=lambda language: language.value)
def test_a_message_that_no_catalogue_has_is_told_as_it_was_written(language: Language) -> None:
    newer = message_of("of-a-newer-version", {"count": 3}, "3 things of a newer version")
    assert in_language(newer, language) == "3 things of a newer version"


@pytest.mark.parametrize("language", list(Language), ids=lambda language: language.value)
def test_a_message_whose_sentence_has_gained_a_value_is_told_as_it_was_written(language: Language) -> None:
    values = {"low": "1", "high": "2", "cheap": "3", "costly": "4"}
    older = message_from_json({"id": "probe-flush-between", "values": values, "english": "between 1 and 2 µs"})
    assert in_language(older, language) == "between 1 and 2 µs"


@pytest.mark.parametrize("language", list(Language), ids=lambda language: language.value)
def test_values_of_another_version_s_sentence_never_hinder_its_being_told(language: Language) -> None:
    """Each message with one value less, with one more, and with values of every wrong type."""
    odd: list[Any] = [
        "text",
        -1,
        2**70,
        {"quantity": math.inf, "form": "bytes"},
        {"quantity": math.nan, "form": "duration"},
        {"number": 1.5, "format": ".0%"},
        {"items": [], "mark": "or"},
        {"id": "list-and", "values": {}, "english": ""},
    ]
    for id_, names in catalogue(language).items():
        less = [dict.fromkeys(names - {left_out}, 1) for left_out in names]
        more = {**dict.fromkeys(names, 1), "of-another-version": 1}
        for values in (*less, more, *(dict.fromkeys(names, value) for value in odd)):
            told = in_language(message_from_json({"id": id_, "values": values, "english": "as stored"}), language)
            assert "{$" not in told.replace(" ", ""), id_


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(ValueError, match="list-and"):
        in_english(message("list-and", before="a"))


def test_a_list_has_the_language_s_own_word_before_its_last_item() -> None:
    listed = message("verbatim", text=Listed(("a", size(4096), number(12345)), Separator.OR))
    assert in_english(listed) == "a, 4.00 KiB or 12,345"
    assert in_language(listed, Language.KOREAN) == "a, 4.00 KiB 또는 12,345"


@given(st.text())
def test_what_is_of_foreign_origin_is_told_as_it_is(text: str) -> None:
    assert [in_language(verbatim(text), language) for language in Language] == [text, text]


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70)
values: st.SearchStrategy[Value] = st.recursive(
    st.text()
    | st.integers()
    | st.builds(ShownQuantity, numbers, st.sampled_from(QuantityForm))
    | st.builds(Number, numbers, st.sampled_from([",", ".3g", ".0%", "+.1f"])),
    lambda inner: (
        st.builds(Listed, st.lists(inner, max_size=3).map(tuple), st.sampled_from(Separator))
        | st.builds(lambda value: message("verbatim", text=value), inner)
    ),
    max_leaves=6,
)


@given(values)
def test_a_message_in_a_bundle_is_read_as_it_was(value: Value) -> None:
    told = message("verbatim", text=value)
    assert message_from_json(message_as_json(told)) == told


@pytest.mark.parametrize("value", [np.int64(3), None, 1.5])
def test_a_value_of_an_unknown_type_is_not_written_into_a_bundle(value: Any) -> None:
    for told in (message("verbatim", text=value), message("verbatim", text=Listed((value,), Separator.COMMA))):
        with pytest.raises(TypeError, match=type(value).__name__):
            message_as_json(told)


@pytest.mark.parametrize(
    "found",
    [
        None,
        3,
        {},
        {"id": "verbatim", "values": {"text": None}, "english": ""},
        {"id": "verbatim", "values": {"text": {"number": 1, "format": "999999999"}}, "english": ""},
        {"id": "verbatim", "values": {"text": {"number": 1, "format": "?"}}, "english": ""},
        {"id": "verbatim", "values": {"text": {"number": 1114112, "format": "c"}}, "english": ""},
        {"id": "verbatim", "values": {"text": {"number": 10**400, "format": ".3g"}}, "english": ""},
        {"id": "verbatim", "values": {"text": {"quantity": 1, "form": "furlongs"}}, "english": ""},
    ],
)
def test_what_is_no_message_is_refused(found: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        message_from_json(found)


@given(
    st.integers() | st.floats() | st.just(10**400),
    st.text() | st.from_regex(r"[<>=^]?[-+ ]?#?0?[0-9]{0,3}[,_]?(\.[0-9]{1,3})?[bcdeEfFgGnosxX%]?", fullmatch=True),
)
def test_a_number_of_any_format_is_refused_or_told(value: float, format_: str) -> None:
    found = {"id": "verbatim", "values": {"text": {"number": value, "format": format_}}, "english": ""}
    try:
        told = message_from_json(found)
    except ValueError:
        return
    assert re.fullmatch(r",?|.*[dfg%]", format_)
    assert in_english(told)


def test_messages_within_messages_without_end_are_refused() -> None:
    found: object = "x"
    for _ in range(5000):
        found = {"id": "verbatim", "values": {"text": found}, "english": ""}
    with pytest.raises(ValueError, match="without end"):
        message_from_json(found)


def test_a_sentence_of_an_older_bundle_is_told_as_it_was_written() -> None:
    assert in_english(message_from_json("QD 32 asked")) == "QD 32 asked"


def test_bytes_of_a_path_that_are_no_utf_8_are_told_apart() -> None:
    assert in_english(verbatim("/a/\udcff\udcfe")) == r"/a/\udcff\udcfe"
