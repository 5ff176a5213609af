"""One command for a file that was refused: made of its profile, never tried."""
