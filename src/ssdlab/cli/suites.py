"""`ssdlab suites` and `ssdlab suite`."""

from ssdlab.cli.arguments import AsJson, SuiteName
from ssdlab.cli.language import sentence
from ssdlab.cli.terminal import say, say_json, say_text
from ssdlab.message import commas, message


def suites(as_json: AsJson = False) -> None:
    """See `help-suites`."""
    from ssdlab.method.builtin import builtin_names, load_suite

    found = [load_suite(name) for name in builtin_names()]
    if as_json:
        fields = [
            {"name": one.name, "version": one.version, "description": one.description, "profiles": list(one.profiles)}
            for one in found
        ]
        say_json(fields)
        return
    width = max(len(one.name) for one in found)
    for one in found:
        profiles = sentence(message("cli-profiles", profiles=commas(*one.profiles)))
        say(f"{one.name:{width}}  {one.version}  {one.description} ({profiles})")


def suite(name: SuiteName) -> None:
    """See `help-suite`."""
    from ssdlab.method.builtin import load_suite

    say_text(load_suite(name).text)
