"""Tests of EDH."""
