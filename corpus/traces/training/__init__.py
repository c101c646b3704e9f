"""From recorded runs to what a trainer learns from: rewards in, groups, rows with credit out."""
