"""The error that ends packing with a message, and commands that end it when they fail."""

import subprocess


class PackError(Exception):
    """Something can't be packed; the message names what and where."""


def run(command, text=None, folder=None):
    """Standard output and error of a command that must succeed, each without blanks around it."""
    command = list(map(str, command))
    try:
        result = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        raise PackError(f"{command[0]} is not installed, but needed to pack the bot")
    if result.returncode:
        raise PackError(f"`{' '.join(command)}` ended with {result.returncode}:\n{result.stderr}")
    return result.stdout.strip(), result.stderr.strip()
