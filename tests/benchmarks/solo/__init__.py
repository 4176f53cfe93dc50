"""Tests of what EDH and TfD have in common, and of TfD."""
