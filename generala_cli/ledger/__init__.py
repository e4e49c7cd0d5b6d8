"""Debts between people over many games: the ledger, payments, and joined names."""
