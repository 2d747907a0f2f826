"""Values of JSON for programs: what is unknown has its reason, as in bundles."""


def known_or_why(value: object) -> object:
    """The value as it is, or the reason why there is none."""
    from ssdlab.unknown import Unknown

    return {"unknown": str(value.reason)} if isinstance(value, Unknown) else value
