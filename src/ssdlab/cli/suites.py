"""`ssdlab suites` and `ssdlab suite`."""

import json

from ssdlab.cli.arguments import AsJson, SuiteName


def suites(as_json: AsJson = False) -> None:
    """List the built-in suites."""
    from ssdlab.method.builtin import builtin_names, load_suite

    found = [load_suite(name) for name in builtin_names()]
    if as_json:
        fields = [
            {"name": one.name, "version": one.version, "description": one.description, "profiles": list(one.profiles)}
            for one in found
        ]
        print(json.dumps(fields, indent=2))
        return
    width = max(len(one.name) for one in found)
    for one in found:
        print(f"{one.name:{width}}  {one.version}  {one.description} (profiles: {', '.join(one.profiles)})")


def suite(name: SuiteName) -> None:
    """Print a suite's TOML.

    Copy it, edit it, and run the copy by its path.
    """
    from ssdlab.method.builtin import load_suite

    print(load_suite(name).text, end="")
