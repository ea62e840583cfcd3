"""The heaviest pages on a phone, by Lighthouse's mobile profile: light on the line, still while they load, and without fault.

How long they take is measured by benchmarks/pages.py: a clock says more about the machine than about the page.
"""

import lighthouse
import pytest
from browsing import BROWSER, served

pytestmark = pytest.mark.slow
CLOCKS = "performance"  # the one kind of score that is a time
KILOBYTES = (
    256  # compressed, all but fonts that a page asks for before it is at rest: 3 s on the slow line of the profile
)
FONT_KILOBYTES = 128  # text is readable before they come, and they come once for the whole book
REQUESTS = 24


@pytest.fixture(scope="module")
def compressed_site(book):
    """The built book over http, compressed, as hosts of pages send it."""
    if not lighthouse.LIGHTHOUSE.exists():
        pytest.skip("Lighthouse is not installed: `make browser` fetches it")
    if BROWSER is None:
        pytest.skip("Chromium is not installed")
    with served(book, compressed=True) as address:
        yield address


@pytest.mark.parametrize("name", ["index", "lagrange", "sources"])
def test_a_page_is_light_and_without_fault_on_a_phone(compressed_site, tmp_path, name):
    """Access, practice and what search engines ask for are without fault; few bytes, few requests, nothing jumps."""
    found = lighthouse.report(f"{compressed_site}/book/{name}.html", tmp_path)
    scores = {kind: round(100 * category["score"]) for kind, category in found["categories"].items() if kind != CLOCKS}
    assert len(scores) == 3
    assert {kind: score for kind, score in scores.items() if score != 100} == {}
    audits = found["audits"]
    listed = audits["network-requests"]["details"]["items"]
    requests = [request for request in listed if not request["url"].startswith("data:")]  # that asks nobody
    fonts = sum(request["transferSize"] for request in requests if request["resourceType"] == "Font")
    assert 0 < fonts <= FONT_KILOBYTES << 10
    assert audits["total-byte-weight"]["numericValue"] - fonts <= KILOBYTES << 10
    in_browser = sum("/lite/" in request["url"] for request in requests)  # where `make lite` has run, one more script
    assert len(requests) - in_browser <= REQUESTS
    assert in_browser <= 1
    assert audits["uses-text-compression"]["score"] == 1
    assert audits["cumulative-layout-shift"]["numericValue"] < 0.01
