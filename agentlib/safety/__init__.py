"""Files, paths and commands inside one folder: what the four tools of a workspace are built on."""
