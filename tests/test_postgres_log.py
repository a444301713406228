"""The log in PostgreSQL: the contract of every log, then its own guards, errors and writers at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.postgres import PostgresLog, open_log
from projections.postgres import TABLES
from tests.contract_log import LogContract
from tests.postgres import Postgres


def opened(url: str, *, write: bool = True) -> PostgresLog:
    """The log at an address."""
    return open_log(url, lambda: TABLES, write=write)


@pytest.fixture
def name(postgres: Postgres) -> str:
    """An empty database."""
    return postgres.new()


@pytest.fixture
def log(postgres: Postgres, name: str) -> Iterator[PostgresLog]:
    """An empty log, open to be written."""
    log = opened(postgres.url(name))
    yield log
    log.close()


class TestPostgresLog(LogContract):
    """The contract, kept by the PostgreSQL log."""
