"""Games of a simulation on the workers of a Dask cluster, made with the extra `turnlog[dask]`."""

from __future__ import annotations

import logging
from collections.abc import Generator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from engines.kit.errors import BadSetup, NoCluster, OtherVersion, WorkerLost

#: Seconds in which a scheduler must answer, and have a worker.
PATIENCE = 10


@contextmanager
def cluster(address: str) -> Generator[tuple[Executor, int]]:
    """The cluster whose scheduler is at `address`, and how many games it plays at once.

    :raises BadSetup: the extra is not installed; NoCluster: nobody is there, or no worker
    :raises OtherVersion: a worker has another turnlog; WorkerLost: the cluster went away
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise BadSetup("--dask needs Dask, which is not installed", "pip install 'turnlog[dask]'") from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is said here
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise NoCluster(
            f"no Dask scheduler answers at {address!r}",
            "`dask scheduler` starts one and says its address, such as tcp://127.0.0.1:8786",
        ) from error
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise NoCluster(
                f"the Dask scheduler at {address} has no workers",
                f"start some: dask worker {address} --nworkers 2 --nthreads 1",
            ) from error
        _check_versions(client)
        yield client.get_executor(), sum(client.nthreads().values())
    except (distributed.KilledWorker, CancelledError, distributed.comm.CommClosedError) as error:
        raise WorkerLost(
            f"the Dask cluster at {address} lost its games: {str(error) or type(error).__name__}"
        ) from error
    finally:
        client.close()


def _check_versions(client: Any) -> None:
    ours = version("turnlog")
    try:
        found: dict[str, str] = client.run(version, "turnlog")
    except PackageNotFoundError as error:
        raise OtherVersion(
            "a worker of the cluster has no turnlog", f"install turnlog {ours} where the workers run"
        ) from error
    for worker, theirs in found.items():
        if theirs != ours:
            raise OtherVersion(
                f"worker {worker} has turnlog {theirs}, this is {ours}", "install the same version everywhere"
            )
