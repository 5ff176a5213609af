"""The file formats: each module in this folder lists its own in FORMATS."""
