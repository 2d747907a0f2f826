"""House rules of the crates: modules have no circles, and a layer of the virtual drive knows only what is below it."""

import re
from pathlib import Path

import pytest

CRATES = Path(__file__).parents[2] / "crates"
LAYERS = ("drive", "reads", "writes", "flash")
"""Of the virtual drive, from the host down."""
RECURSIVE = {("vdrive", "defect", "spec")}
"""A specification holds defects, and a defect is checked against its specification: one type in two files."""


def modules_of(crate: str) -> dict[str, str]:
    """Text of each module without its tests and comments, by its path: `log::cursor`."""
    source = CRATES / crate / "src"
    found = {}
    for path in source.rglob("*.rs"):
        text = re.sub(r"//[^\n]*", "", path.read_text()).partition("#[cfg(test)]\nmod ")[0]
        found["::".join(path.relative_to(source).with_suffix("").parts)] = text
    return found


def uses(module: str, text: str, modules: dict[str, str]) -> set[str]:
    """The modules of its crate that a module names; a parent that only brings its children along is none."""
    above = module.rpartition("::")[0]
    named = [name.removeprefix("crate::") for name in re.findall(r"crate::[a-z_]+(?:::[a-z_]+)*", text)]
    named += [f"{above}::{name}".removeprefix("::") for name in re.findall(r"super::([a-z_]+)", text)]
    return {other for other in modules for name in named if other != module and f"{name}::".startswith(f"{other}::")}


@pytest.mark.parametrize("crate", sorted(path.name for path in CRATES.iterdir() if (path / "src").is_dir()))
def test_no_two_modules_need_each_other(crate: str) -> None:
    modules = modules_of(crate)
    needed = {module: uses(module, text, modules) for module, text in modules.items()}
    circles = {
        (crate, *sorted((module, other)))
        for module, others in needed.items()
        for other in others
        if module in needed[other]
    }
    assert circles - RECURSIVE == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_of_the_virtual_drive_knows_nothing_of_those_above(layer: str) -> None:
    above = LAYERS[: LAYERS.index(layer)]
    own = {name: text for name, text in modules_of("vdrive").items() if name.partition("::")[0] == layer}
    assert own
    assert [name for name, text in own.items() if re.search(rf"crate::({'|'.join(above) or '$^'})\b|VDrive", text)] == (
        [name for name in own if layer == "drive"]
    )


def test_the_virtual_drive_shows_its_state_to_nobody() -> None:
    text = modules_of("vdrive")["drive"]
    fields = text.partition("pub struct VDrive {")[2].partition("\n}")[0]
    assert fields.strip()
    assert "pub" not in fields
