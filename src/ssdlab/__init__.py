"""ssdlab: an SSD laboratory. `docs/` says what it measures; `ssdlab --help` how to ask for it."""

from functools import cache


@cache
def version() -> str:
    """The installed version of ssdlab; `Cargo.toml` is where it is set."""
    from importlib import metadata

    return metadata.version("ssdlab")
