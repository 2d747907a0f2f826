"""What modules can say, read from their source: every text in them that is no name, with a 3 wherever a value stands."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

_VALUE = "3"


def sentences(module: ModuleType) -> Iterator[str]:
    """Texts of more than one word that are no patterns; documentation is none, nor is what an error says."""
    if module.__file__ is None:
        return
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for node in _spoken(tree):
        text = _text(node)
        if " " in text.strip() and "(?P<" not in text:
            yield text.strip()


def _spoken(node: ast.AST) -> Iterator[ast.JoinedStr | ast.Constant]:
    """Whole texts, each once: an expression that is a string and nothing else is documentation."""
    for child in node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
        elif not _is_aside(child):
            yield from _spoken(child)


def _is_aside(node: ast.AST) -> bool:
    """Errors, documentation, what is looked for in a text or looked up by, and what only `ssdlab probes` prints."""
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return (
        isinstance(node, ast.Raise | ast.Subscript | ast.Compare)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.keyword) and node.arg == "limits")
        or called in {"Ask", "Load", "sequential_fill"}
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile")
    )


def _text(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(_part(part) for part in node.values)


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    form = ast.unparse(part.format_spec) if isinstance(part, ast.FormattedValue) and part.format_spec else ""
    return f"{_VALUE}%" if "%" in form else _VALUE
