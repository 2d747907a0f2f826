"""Stated facts as rows of the page: of the bench, of a drive, and in one line below its name."""

from collections.abc import Iterator

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.stated import DriveClass, Price, stated_of
from ssdlab.message import Message, message, number, verbatim
from ssdlab.report.drive_facts import Row

CLASS_WORDS = {
    DriveClass.CLIENT: message("stated-class-client"),
    DriveClass.ENTERPRISE: message("stated-class-enterprise"),
    DriveClass.INDUSTRIAL: message("stated-class-industrial"),
    DriveClass.EXTERNAL: message("stated-class-external"),
}


def stated_bench_rows(bundle: Bundle) -> Iterator[Row]:
    """What the operator says of the bench; of its cooling also that nobody said anything."""
    bench = stated_of(bundle).bench
    if bench is None or bench.cooling is None:
        yield message("report-bench-cooling"), message("report-bench-cooling-unknown")
    if bench is None:
        return
    ambient = None if bench.ambient_c is None else f"{bench.ambient_c:g} °C"
    yield from _said(
        (message("report-bench-cooling"), bench.cooling),
        (message("stated-ambient"), ambient),
        (message("stated-memory"), bench.memory),
        (message("stated-slot"), bench.slot),
        (message("stated-adapter"), bench.adapter),
        (message("stated-boot-drive"), bench.boot_drive),
        (message("stated-power-supply"), bench.power_supply),
        (message("stated-case"), bench.case),
        (message("stated-driver"), bench.driver),
        (message("stated-notes"), bench.notes),
    )


def stated_drive_rows(bundle: Bundle) -> tuple[Row, ...]:
    """What the operator says of the drive of a run; none where nothing was said."""
    drive = stated_of(bundle).drive
    if drive is None:
        return ()
    price, drive_class = drive.price, drive.drive_class
    return tuple(
        _said(
            (message("stated-class"), None if drive_class is None else CLASS_WORDS[drive_class]),
            (message("stated-controller"), drive.controller),
            (message("stated-flash"), drive.flash),
            (message("stated-heatsink"), drive.heatsink),
            (message("stated-purged-by"), drive.purged_by),
            (message("stated-price"), None if price is None else price_words(price)),
            (message("stated-per-gb"), None if price is None else per_gb_words(price, bundle.run.drive.capacity_bytes)),
            (message("stated-notes"), drive.notes),
            (message("stated-datasheet"), None if drive.datasheet is None else drive.datasheet.source),
        )
    )


def stated_line(bundle: Bundle) -> tuple[Message, ...]:
    """What is read first of a drive: its class, controller, flash and price."""
    drive = stated_of(bundle).drive
    if drive is None:
        return ()
    parts: list[Message] = []
    if drive.drive_class is not None:
        parts.append(CLASS_WORDS[drive.drive_class])
    parts += [verbatim(said) for said in (drive.controller, drive.flash) if said is not None]
    if drive.price is not None:
        price, per_gb = price_words(drive.price), per_gb_words(drive.price, bundle.run.drive.capacity_bytes)
        parts.append(message("stated-price-and-per-gb", price=price, per_gb=per_gb))
    return tuple(parts)


def price_words(price: Price) -> Message:
    """`129.90 EUR (2026-11-01)`."""
    amount = number(float(price.amount), ",.2f")
    if price.paid_on is None:
        return message("stated-amount", amount=amount, currency=price.currency)
    return message("stated-amount-on", amount=amount, currency=price.currency, day=price.paid_on.isoformat())


def per_gb_words(price: Price, capacity_bytes: int) -> Message:
    """`0.130 EUR/GB`."""
    per_gb = number(float(price.per_gb(capacity_bytes)), ",.3f")
    return message("stated-amount-per-gb", amount=per_gb, currency=price.currency)


def _said(*rows: tuple[Message, Message | str | None]) -> Iterator[Row]:
    for name, value in rows:
        if value is not None:
            yield name, value
