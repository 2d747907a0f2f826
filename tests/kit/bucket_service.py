"""A service that speaks S3 on loopback, and ends and begins again as services do; what it holds stays."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

BUCKET = "lab"


class BucketService:
    """The service; its bucket is `BUCKET`."""

    def __init__(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        _, self._port = self._server.get_host_and_port()
        self.empty()

    @property
    def address(self) -> str:
        """Of the service."""
        return f"http://127.0.0.1:{self._port}"

    def empty(self) -> None:
        """Forget everything but the empty bucket."""
        for method, path in (("POST", "moto-api/reset"), ("PUT", BUCKET)):
            with urlopen(Request(f"{self.address}/{path}", method=method)):  # noqa: S310 - it is our own server
                pass

    def end(self) -> None:
        """It is away."""
        self._server.stop()

    def begin(self) -> None:
        """It is back."""
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()


@contextmanager
def bucket_service() -> Iterator[BucketService]:
    """As long as it is needed."""
    service = BucketService()
    try:
        yield service
    finally:
        service.end()


def use(service: BucketService, environment: pytest.MonkeyPatch) -> None:
    """As who has it says it to any client of S3."""
    for name, value in (
        ("ENDPOINT_URL", service.address),
        ("REGION", "us-east-1"),
        ("ACCESS_KEY_ID", "lab"),
        ("SECRET_ACCESS_KEY", "lab"),
    ):
        environment.setenv(f"AWS_{name}", value)
