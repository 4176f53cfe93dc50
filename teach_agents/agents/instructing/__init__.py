"""What to ask for next: from a progress check's reply and the things one knows of, one step at a time."""
