"""A drive, or a host, that did nothing for a while: pictures of zeros are whole, too."""

from tests.kit.sample_client import Made, client_bundle

from ssdlab.figure.client.ranking import fill_rankings
from ssdlab.report.render import render_svg


def test_a_ranking_in_which_the_slowest_windows_have_no_byte_is_drawn() -> None:
    (_, slowest) = fill_rankings([client_bundle(Made(factor=0.0))])
    assert slowest.name == "ranking-fill-slowest"
    for spec in (slowest.spec, slowest.narrow_spec):
        assert ">0 MiB/s<" in render_svg(spec)
