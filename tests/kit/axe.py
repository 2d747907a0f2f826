"""axe, which looks at a page as those need it who cannot see it or use no mouse."""

import json
from pathlib import Path

import pytest
from tests.kit.browser import CHROMIUM, Page

PACKAGES = Path(__file__).parents[2] / ".tools" / "npm" / "node_modules"
AXE = PACKAGES / "axe-core" / "axe.min.js"
JUDGE = """axe.run(document, {{rules: {{'color-contrast': {{enabled: {contrast}}}}}}}).then((found) => JSON.stringify(
    {{rules: found.passes.length, faults: found.violations.map((one) => [one.id, one.nodes.length, one.nodes[0].html])}}))"""

needs_axe = pytest.mark.skipif(
    CHROMIUM is None or not AXE.exists(), reason="there is no chromium, or `./dev setup` fetched no axe"
)


def faults_on(page: Page, contrast: str = "true", rules_min: int = 25) -> list[object]:
    """What axe finds on the page that is seen.

    Args:
        page: The tab.
        contrast: `true` to look at colours, too, which takes long on a large page.
        rules_min: So many rules must have had something to look at.
    """
    page.run(f"{AXE.read_text(encoding='utf-8')};0")
    found = json.loads(page.run(JUDGE.format(contrast=contrast)))
    assert found["rules"] >= rules_min, "axe found next to nothing to look at"
    return list(found["faults"])
