"""The database of a fleet: made once, and reached with a limit to every wait, so that a network that is gone is noticed."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.schema import SchemaManager
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict

from ssdlab.errors import SsdlabError
from ssdlab.message import message, verbatim

SCHEMA = "ssdlab"
"""Of PostgreSQL: tables of other programs in the same database have others."""
VERSION = 1
_OTHERS_S_MAX = 10
"""How long a dead peer, or whoever holds a row, is waited for."""
_STATEMENT_S_MAX = 60
"""The longest, a copy of the metrics of a run, takes a fraction of a second."""


class DatabaseError(SsdlabError):
    """The database is none of a fleet this ssdlab knows."""


class DatabaseAway(DatabaseError):  # noqa: N818 - the error is the state
    """The database cannot be reached, or went away."""


def connection_options() -> dict[str, Any]:
    """What every connection is opened with."""
    return {
        "options": (
            f"-c search_path={SCHEMA} -c lock_timeout={_OTHERS_S_MAX}s -c statement_timeout={_STATEMENT_S_MAX}s"
        ),
        "connect_timeout": _OTHERS_S_MAX,
        "tcp_user_timeout": _OTHERS_S_MAX * 1000,
        "keepalives_idle": _OTHERS_S_MAX,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "application_name": "ssdlab",
    }


@contextmanager
def connected(database: str) -> Iterator["Connection[tuple[Any, ...]]"]:
    """A connection for one transaction, which an exception takes back.

    Raises:
        DatabaseAway: It cannot be reached, or went away.
        DatabaseError: The text is no address, or there is no fleet in it.
    """
    require_address(database)
    try:
        with psycopg.connect(database, **connection_options()) as connection:
            yield connection
    except psycopg.errors.UndefinedTable as error:
        raise DatabaseError(message("fleet-not-made"), message("fleet-hint-init")) from error
    except (psycopg.OperationalError, psycopg.ProgrammingError, ConnectorException) as error:
        raise unreachable(error) from error


def require_address(database: str) -> None:
    """Make sure that a text is the address of a database, before anything is said of it: a password may be part of it.

    Raises:
        DatabaseError: It is none. Nothing of the text is repeated.
    """
    if not _is_address(database):
        raise DatabaseError(message("fleet-no-address"), message("fleet-hint-database"), message("fleet-hint-password"))


def _is_address(database: str) -> bool:
    try:
        found = conninfo_to_dict(database)
    except psycopg.Error:
        # What the library says names the part that it does not understand.
        return False
    if not database.startswith(("postgresql://", "postgres://")):
        return True
    # A password with `@` or `/` in it makes the rest of it a part of what follows.
    torn = any("@" in str(found.get(key, "")) for key in ("host", "port", "dbname"))
    return not torn and all(port.isdecimal() for port in str(found.get("port") or "").split(",") if port)


def unreachable(error: Exception) -> DatabaseAway:
    """What the client's library says of a database that cannot be used."""
    # The queue has no words of its own for it.
    why = " ".join(str(error.__cause__ if isinstance(error, ConnectorException) else error).split())
    return DatabaseAway(message("fleet-no-database", why=verbatim(why)), message("fleet-hint-database"))


def make_fleet(database: str) -> None:
    """Make the tables of a fleet and of its queue, all or none.

    Raises:
        DatabaseError: It cannot be reached, has a fleet already, or refuses.
    """
    with connected(database) as connection:
        if _schema_is_there(connection):
            raise DatabaseError(message("fleet-made-before"))
        connection.execute(f"CREATE SCHEMA {SCHEMA}".encode())
        # Each is a script of many commands, which only the plain protocol takes: no parameters.
        connection.execute(SchemaManager.get_schema().encode())
        connection.execute((resources.files("ssdlab.fleet") / "schema.sql").read_bytes())
        connection.execute("INSERT INTO fleet (version) VALUES (%s)", (VERSION,))


def require_fleet(connection: "Connection[tuple[Any, ...]]") -> None:
    """Make sure that the tables are those this ssdlab knows.

    Raises:
        DatabaseError: They were made by another version.
    """
    row = connection.execute("SELECT version FROM fleet").fetchone()
    if row is None or row[0] != VERSION:
        found = "none" if row is None else str(row[0])
        raise DatabaseError(message("fleet-other-version", found=found, known=VERSION), message("fleet-hint-version"))


def _schema_is_there(connection: "Connection[tuple[Any, ...]]") -> bool:
    found = connection.execute("SELECT 1 FROM information_schema.schemata WHERE schema_name = %s", (SCHEMA,))
    return found.fetchone() is not None
