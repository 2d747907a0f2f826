"""A twin is written down so that its reader gets what was meant."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from ssdlab.twin.draft import Draft


@given(st.text())
def test_whatever_the_model_of_a_drive_is_called_its_twin_says_so(model: str) -> None:
    read = tomllib.loads(Draft("twin", model, {"geometry": {"cell": model}}).text)
    assert (read["description"], read["geometry"]) == (model, {"cell": model})
