"""Re-validation: after an injection every original question ends in a closed state with a reason (DESIGN.md rule 9)."""
