"""The parts of scripts/pack."""
