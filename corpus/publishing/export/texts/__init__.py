"""What people read: a list, notes, a feed."""
