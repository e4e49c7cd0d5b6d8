"""What people owe each other over many games: the ledger, payments, and who is who."""
