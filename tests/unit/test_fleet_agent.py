"""How the agent of a host ends."""

import asyncio
from pathlib import Path

import pytest

from ssdlab.fleet.agent import Agent


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """One that needs no database until it works."""
    rules = tmp_path / "agent.toml"
    rules.write_text(f'database = "postgresql:///fleet"\nstore = "/srv/store"\nstate = "{tmp_path / "state"}"\n')
    rules.chmod(0o600)
    monkeypatch.setattr(Agent, "_adopt", lambda _: None)
    return Agent(rules, lambda _: None)


@pytest.mark.parametrize("failure", [None, OSError("gone")], ids=["in silence", "in an outage"])
def test_an_agent_whose_worker_hides_that_it_was_told_to_end_ends(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, failure: OSError | None
) -> None:
    works = asyncio.Event()

    async def work(_: Agent) -> None:
        works.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if failure is not None:
                raise failure from None

    monkeypatch.setattr(Agent, "_work", work)

    async def scene() -> None:
        serving = asyncio.create_task(agent._serve())
        await works.wait()
        serving.cancel()
        done, _ = await asyncio.wait({serving}, timeout=30)
        assert done == {serving}
        assert serving.cancelled()

    asyncio.run(scene())
