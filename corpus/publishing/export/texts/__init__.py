"""What people read: a list, a feed."""
