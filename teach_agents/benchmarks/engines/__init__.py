"""What carries a run's jobs out: processes on this machine, or a Ray cluster. The results are the same from both."""

from teach_agents.benchmarks.engines.contract import Engine, Job, JobResult
from teach_agents.benchmarks.engines.running import ENGINES, engine_named, run_jobs

__all__ = ["ENGINES", "Engine", "Job", "JobResult", "engine_named", "run_jobs"]
