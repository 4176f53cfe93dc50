"""EDH: execution from dialogue history. A session's beginning is restored, its next stretch is to be carried out."""
