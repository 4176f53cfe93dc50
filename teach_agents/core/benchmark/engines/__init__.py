"""What carries a run's jobs out: processes of this machine, this very one, or a Ray cluster, with the same results."""

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult
from teach_agents.core.benchmark.engines.running import ENGINES, engine_named, run_jobs
from teach_agents.core.benchmark.engines.serving import once_per_seat

__all__ = ["ENGINES", "Engine", "Job", "JobResult", "engine_named", "once_per_seat", "run_jobs"]
