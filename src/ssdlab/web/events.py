"""The answer that has no end of its own: events, one after another, as long as a browser listens."""

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

_EVENTS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def event_stream(events: AsyncIterator[bytes]) -> Response:
    """Of server-sent events."""
    return StreamingResponse(events, media_type="text/event-stream", headers=_EVENTS)
