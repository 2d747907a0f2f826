"""What the metrics of samples are of, from the names a reader knows them by."""

from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.metric_key import MetricKey


def key(name: str) -> MetricKey:
    """Of a metric of a run; the step it came from is all before the quantity."""
    words = name.split(".")
    return key_of_name(name, ".".join(words[:2] if words[0] == "precondition" else words[:-1]))
