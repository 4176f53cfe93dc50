"""What the reports of TEACh's benchmarks show."""
