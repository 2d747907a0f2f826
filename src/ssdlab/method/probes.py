"""What a run of probes is asked to do (METHODS B), as the text a bundle keeps."""

from collections.abc import Sequence

NAME = "probe"
VERSION = "2025.12"


def text_of(probes: Sequence[str], estimator: str) -> str:
    """Which probes, and how they draw conclusions, as TOML."""
    names = ", ".join(f'"{name}"' for name in probes)
    return f'[probe]\nname = "{NAME}"\nversion = "{VERSION}"\nprobes = [{names}]\nestimator = "{estimator}"\n'
