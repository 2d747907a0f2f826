"""What a first screen may say, as sentences with places for metrics, and what of it is not so."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.kit.drawn_screens import is_known
from tests.kit.told_values import NUMBER, PLACE, told_in, wrong_in

from ssdlab.bundle.model import Metric
from ssdlab.report.first_screen.screen import FirstScreen
from ssdlab.words import Language, in_language

Known = Mapping[str, Metric]
"""What is true of a drive, by the names of its metrics."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with places for metrics, and when it is true."""

    template: str
    holds: Callable[[Known], bool] = lambda _: True


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of several parts: all that are known of these are told, in this order, up to four."""

    lead: str
    parts: Mapping[str, str]
    """By the name of its metric; words with places stand for all metrics in them, and are told where all of these are known."""
    unknown: str = ""
    """What is told of one that is unknown; nothing where that is left out."""
    most: int = 4
    chosen: Callable[[Sequence[str]], Sequence[str]] = lambda found: found
    """Which of those that are known."""

    def places(self, name: str) -> list[str]:
        """The metrics of a part."""
        return PLACE.findall(self.parts[name]) or [name]


def wrong_on(screen: FirstScreen, claims: Sequence[Claim], told: Sequence[Told], known: Known) -> list[str]:
    """All that a screen says that is not so."""
    sentences = [str(one) for one in (*screen.verdict, *screen.verdict_switched)]
    faults = [fault for sentence in sentences for fault in faults_of(sentence, claims, told, known)]
    return [*faults, *faults_of_tiles(screen, known), *faults_of_languages(screen)]


def faults_of(sentence: str, claims: Sequence[Claim], told: Sequence[Told], known: Known) -> Iterator[str]:
    """What a sentence says that is not so."""
    for one in told:
        if sentence.startswith(f"{one.lead}: "):
            yield from of_parts(sentence.removeprefix(f"{one.lead}: ").removesuffix("."), one, known)
            return
    found = [(claim, values) for claim in claims if (values := told_in(sentence, claim.template)) is not None]
    if not found:
        yield f"not foreseen: {sentence}"
    faults = [[*of_claim(claim, values, known)] for claim, values in found]
    if found and all(faults):
        yield f"{sentence}: {faults}"


def of_claim(claim: Claim, values: Mapping[str, str], known: Known) -> Iterator[str]:
    names = [name for name in values if "." in name]
    unknown = [name for name in names if not is_known(known.get(name))]
    if unknown:
        yield f"{unknown} are not known"
        return
    if not claim.holds(known):
        yield f"does not hold: {claim.template}"
    for name in names:
        yield from wrong_in(values[name], known[name])
    if "state" in values and values["state"] not in {known[name].state.value for name in names}:
        yield f"found in {values['state']}: {names}"


def of_parts(text: str, told: Told, known: Known) -> Iterator[str]:
    named = {name: known[name] for name in told.parts if name in known}
    known_whole = [name for name in named if told.unknown or all(is_known(known.get(one)) for one in told.places(name))]
    wanted = told.chosen(known_whole)[: told.most]
    parts = text.split("; ")
    if len(parts) != len(wanted):
        yield f"{text}: wanted {wanted}"
        return
    for part, name in zip(parts, wanted, strict=True):
        words = told.parts[name]
        if not is_known(named[name]):
            if told_in(part, f"{words} {told.unknown}") is None:
                yield f"{part}: {name} is unknown"
            continue
        values = told_in(part, words if "<" in words else f"{words} <{name}>")
        if values is None:
            yield f"not foreseen: {part}"
            continue
        for one, value in values.items():
            yield from wrong_in(value, known[one])


def faults_of_tiles(screen: FirstScreen, known: Known) -> Iterator[str]:
    labels = [str(tile.label) for tile in screen.tiles]
    if len(set(labels)) < len(labels) or len(labels) > 6:
        yield f"tiles: {labels}"
    for tile in screen.tiles:
        metric = known[tile.metric.name]
        if isinstance(metric.value, bool):
            if str(tile.metric.text) != ("yes" if metric.value else "no"):
                yield f"{tile.label}: {tile.metric.text}"
            continue
        for shown in (tile.metric, tile.switched or tile.metric):
            yield from wrong_in(str(shown.inline), metric)
            interval = "" if shown.interval is None else f" ({_without_unit(str(shown.interval), str(shown.text))})"
            yield from wrong_in(f"{shown.text}{interval}", metric)


def _without_unit(interval: str, value: str) -> str:
    """`12,180 to 12,220` of `12,180 to 12,220 MiB/s`, the unit being that of the value."""
    _, space, unit = value.removesuffix(" ✗").rpartition(" ")
    is_clock = re.search(r" min \d+ s| h \d+ min", value)
    return interval if is_clock or not space else interval.removesuffix(f" {unit}")


def faults_of_languages(screen: FirstScreen) -> Iterator[str]:
    """The Korean sentences have the numbers of the English ones; the worst second is the slowest of 1 second there, each byte 1 byte."""
    for sentence in (*screen.verdict, *screen.verdict_switched):
        english, korean = (
            sorted(
                re.findall(
                    NUMBER,
                    in_language(sentence, language)
                    .replace("~", " ~ ")
                    .replace("가장 느린 1초", "")
                    .replace("1바이트마다", ""),
                )
            )
            for language in (Language.ENGLISH, Language.KOREAN)
        )
        if english != korean:
            yield f"{sentence}: {in_language(sentence, Language.KOREAN)}"
