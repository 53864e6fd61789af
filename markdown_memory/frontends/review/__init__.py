"""The review queue on a full screen; needs the extra `tui` (Textual)."""
