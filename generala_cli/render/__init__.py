"""Answers as text or documents."""
