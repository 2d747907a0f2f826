"""The little Markdown the pages need."""

from collections.abc import Iterable, Sequence


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; pipes inside cells are escaped, lines are joined."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in line) + " |\n" for line in lines)


def code(text: object) -> str:
    """Inline code."""
    return f"`{text}`"


def listing(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
