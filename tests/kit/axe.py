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


TELEPHONE_PX = 390
FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
LISTEN = """window.reached = new Set(); window.bare = [];
document.addEventListener('focusin', ({target}) => {
    window.reached.add(target);
    const look = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    if (look.outlineStyle === 'none' && look.boxShadow === 'none' || !box.width) { window.bare.push(target.outerHTML.slice(0, 120)); }
}); document.activeElement.blur();"""
NOT_REACHED = f"""[...document.querySelectorAll("{FOCUSABLE}")]
    .filter((one) => one.offsetParent !== null && !window.reached.has(one)).map((one) => one.outerHTML.slice(0, 120))"""


def faults_in_both_themes(page: Page, rules_min: int) -> list[object]:
    """What axe finds on the page that is seen, and how much of it a telephone shows only by scrolling sideways."""
    found: list[object] = []
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        found += faults_on(page, rules_min=rules_min)
    wide_px = page.run("document.documentElement.scrollWidth")
    return found + ([f"{wide_px} px wide"] if wide_px > TELEPHONE_PX else [])


def faults_with_the_keyboard(page: Page) -> list[str]:
    """What Tab does not lead to, and what does not show that it has the focus."""
    page.run(f"{LISTEN}0")
    for _ in range(int(page.run(f'document.querySelectorAll("{FOCUSABLE}").length')) + 1):
        for kind in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Tab", windowsVirtualKeyCode=9)
    assert page.run("window.reached.size") > 3, "Tab led nowhere"
    return [*page.run(NOT_REACHED), *page.run("window.bare")]
