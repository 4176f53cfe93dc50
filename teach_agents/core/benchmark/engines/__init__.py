"""What carries a run's jobs out: processes on this machine, or a Ray cluster. The results are the same from both."""

from teach_agents.core.benchmark.engines.contract import Engine, Job, JobResult
from teach_agents.core.benchmark.engines.running import ENGINES, engine_named, run_jobs
from teach_agents.core.benchmark.engines.serving import once_per_seat

__all__ = ["ENGINES", "Engine", "Job", "JobResult", "engine_named", "once_per_seat", "run_jobs"]
