"""Exact strategy over a rule set: advice, and the chances of everyone. The only place that needs numpy."""
