"""The HTML report of a run of any of TEACh's benchmarks, made from the run's folder."""
