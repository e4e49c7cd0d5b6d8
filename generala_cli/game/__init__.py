"""What happens at a table: facts, the state they lead to, and what the rules then allow. Pure."""
