"""What several tests share: made-up inputs, browsers, recorded answers."""
