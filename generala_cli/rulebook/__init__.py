"""Rule sets: listing and explaining them, checking hands, and writing house rules."""
