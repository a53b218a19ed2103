"""The error that ends packing with a message."""


class PackError(Exception):
    """Something can't be packed; the message names what and where."""
