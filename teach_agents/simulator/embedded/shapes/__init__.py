"""What objects look like: parts by type and state, fitted to their real boxes."""
