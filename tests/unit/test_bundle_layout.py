"""Files of JSON in a bundle that no run writes."""

import pytest

from ssdlab.bundle import layout


@pytest.mark.parametrize("adapter", [layout.METRICS_ADAPTER, layout.AUDIT_ADAPTER], ids=["metrics", "audit"])
def test_of_many_wrong_elements_one_is_enough(adapter: object) -> None:
    content = b"[" + b",".join([b"[]"] * 1000) + b"]"
    with pytest.raises(ValueError, match="1 validation error"):
        layout.parsed(adapter, content)  # type: ignore[arg-type]  # which of them does not matter


def test_a_file_of_more_values_than_any_has_is_not_read() -> None:
    with pytest.raises(ValueError, match="more values than any file"):
        layout.read_json(b"[" + b"0," * 4_000_001 + b"0]")
