"""The host that runs of tests say they were made on."""

from tests.kit.bench import bench

__all__ = ["bench"]
