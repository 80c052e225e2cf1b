"""One offer for all tests that only read it."""

from __future__ import annotations

import pytest

from tests.statement.offers import Offer, offer


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Offer:
    """An offer that no test changes."""
    return offer(tmp_path_factory.mktemp("offer"))
