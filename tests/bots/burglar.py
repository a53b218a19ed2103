# Tries what a bot has no business with, and says on standard error what it could do. Its arguments: a file to read,
# a file to write, a port to call, a process to kill.
import os
import signal
import socket
import sys

read, write, port, victim = sys.argv[1:]


def attempt(name, deed):
    try:
        deed()
    except OSError:
        return
    print(name, file=sys.stderr)


attempt("could read", lambda: open(read).read())
attempt("could write", lambda: open(write, "a").write("x"))
attempt("could call", lambda: socket.create_connection(("127.0.0.1", int(port)), 1))
attempt("could kill", lambda: os.kill(int(victim), signal.SIGTERM))
attempt("could keep a file", lambda: open("scratch", "w").write("x"))
print("secret:", os.environ.get("AMAZONS_SECRET"), file=sys.stderr)
