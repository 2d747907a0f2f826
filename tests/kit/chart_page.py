"""The zoomable charts of a page: gestures on them, and what they show and save."""

from typing import Any

from tests.kit.browser import Page

SPEED = "#run1-bandwidth-over-bytes"
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"
OVER_TIME = "#comparison1-fill-over-time"


def settle(page: Page) -> None:
    """Wait for what a gesture began."""
    page.run("Promise.all([...document.querySelectorAll('figure')].map((one) => one.drawn)).then(() => true)")
    page.run(FRAMES)


def plot_place(page: Page, figure: str, across: float, up: float = 0.5) -> tuple[float, float]:
    """Where in the window a share of the first plot of a still picture is, or of a zoomed chart."""
    found = page.run(f"""(() => {{
        const figure = document.querySelector('{figure}');
        figure.scrollIntoView({{behavior: 'instant'}});
        const over = figure.classList.contains('zoomed') && figure.querySelector('.u-over');
        if (over) {{
            const box = over.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];
        }}
        const picture = [...figure.querySelectorAll('.still')].find((one) => one.offsetWidth).firstElementChild;
        const box = picture.getBoundingClientRect();
        const factor = box.width / picture.viewBox.baseVal.width;
        const {{left, top, width, height}} = JSON.parse(picture.dataset.plots)[0];
        return [box.left + left * factor, box.top + top * factor, width * factor, height * factor];
    }})()""")
    left, top, width, height = found
    return left + across * width, top + (1 - up) * height


def mouse(page: Page, kind: str, place: tuple[float, float], **more: Any) -> None:
    page.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    mouse(page, "mouseMoved", begin)
    mouse(page, "mousePressed", begin, button="left", clickCount=1)
    mouse(page, "mouseMoved", ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2), button="left", buttons=1)
    mouse(page, "mouseMoved", end, button="left", buttons=1)
    mouse(page, "mouseReleased", end, button="left", clickCount=1)
    settle(page)


def press(page: Page, key: str) -> None:
    text = {"text": key} if len(key) == 1 else {}
    page.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=key)
    settle(page)


def touch(page: Page, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)


def tip(page: Page) -> list[str]:
    """The lines of the words beside the pointer."""
    shown = "(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.innerText; })()"
    return [line for line in page.run(shown).splitlines() if line]


def zoom_with_button(page: Page, figure: str = SPEED) -> None:
    page.run(f"document.querySelector('{figure} + .more .zoom-button').click()")
    settle(page)


def view(page: Page) -> dict[str, str]:
    """What the address says of the figure."""
    parts = page.run("decodeURIComponent(location.hash)").split("&")[1:]
    return dict(part.split("=") for part in parts)


def ends(text: str) -> tuple[float, float]:
    low, high = map(float, text.split("_"))
    return low, high


KEEP_FILES = """(() => {
    HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
    URL.createObjectURL = (blob) => { window.kept = blob; return 'blob:kept'; };
})()"""


def saved(page: Page, kind: str, figure: str = SPEED) -> bytes:
    """What a button hands to the browser as a file."""
    page.run(KEEP_FILES)
    page.run(f"document.querySelector('{figure} + .more [value={kind}]').click()")
    page.run(f"document.querySelector('{figure}').done")
    assert page.run("window.saved") == f"{figure.removeprefix('#')}.{kind}"
    return bytes(page.run("window.kept.arrayBuffer().then((all) => [...new Uint8Array(all)])"))


FADED = """[...document.querySelectorAll('[id^=comparison] .wide .picture [stroke="var(--s{slot})"], [id^=comparison] .wide .picture [fill="var(--s{slot})"]')]
    .map((one) => Number(getComputedStyle(one).opacity) < 0.2)"""


def give_lines(page: Page, figure: str, *ends: float) -> None:
    """Put other points under the lines of a figure: 1,000 each, of the value 100 times the place of the line, up to that end."""
    page.run(f"""(() => {{
        const figure = document.querySelector('{figure}');
        figure.unpacked = {list(ends)}.map((end, at) => ({{
            x: Float32Array.from({{length: 1000}}, (_, row) => end * (row + 1) / 1000),
            y: new Float32Array(1000).fill(100 * (at + 1)),
        }}));
        figure.lines = Promise.resolve(figure.unpacked);
    }})()""")
