"""Whether a drive writes past its full cache or through it is told by random writes for good, where writing in order does not tell it."""

import tomllib
from pathlib import Path

import pytest
from tests.kit.load_drives import run_on
from tests.kit.twin_drives import PREPARED, SENSE_US, THROUGH_CACHE

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.twin.acts import acts_of
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.fit import Fitted, fit_to_acts
from ssdlab.twin.held_out import divided
from ssdlab.twin.known import known_of
from ssdlab.twin.steady import LastingWrites, steady_on

PAST_CACHE = THROUGH_CACHE.replace('after = "cache_only"', 'after = "direct"')


def lasting(text: str, scratch: Path) -> LastingWrites:
    """Of the drive of a specification."""
    sections = {name: section for name, section in tomllib.loads(text).items() if isinstance(section, dict)}
    draft = Draft("measured", "", sections).having("timing", sense=(as_time(1000 * SENSE_US),) * 2)
    return steady_on(draft, scratch)


def fitted(text: str, steady: LastingWrites | None, lab: Path) -> Fitted:
    bundle = run_on(text, PREPARED, lab)
    acts = acts_of([bundle])
    known = known_of([bundle], acts)
    assert known.after in {None, AfterCache.DIRECT}, "else one kind alone is tried"
    return fit_to_acts(acts, divided(acts), known, steady, "twin", bundle.run.drive.capacity_bytes)


@pytest.mark.parametrize(("text", "after"), [(PAST_CACHE, "direct"), (THROUGH_CACHE, "cache_only")])
def test_what_follows_a_small_cache_is_what_fits_random_writes_for_good(text: str, after: str, tmp_path: Path) -> None:
    found = fitted(text, lasting(text, tmp_path), tmp_path)
    assert found.draft.word("slc", "after") == after


def test_without_random_writes_for_good_a_drive_writes_past_its_cache_as_most_do(tmp_path: Path) -> None:
    assert fitted(PAST_CACHE, None, tmp_path).draft.word("slc", "after") == "direct"
