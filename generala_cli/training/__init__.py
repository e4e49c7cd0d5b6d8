"""The trainer: asks about past hands again, the costliest mistakes first."""
