"""HTML pages, self-contained; page fills the templates, which have the words."""
