"""The trainer: one's own past hands once more, the costliest first."""
