"""The command line: options in, data on standard output, messages on standard error."""
