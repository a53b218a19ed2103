# Tries forbidden actions, and prints to standard error which of them succeed. Arguments: read=FILE, write=FILE, call=PORT,
# kill=PROCESS.
import os
import socket
import sys

aims = dict(word.split("=") for word in sys.argv[1:])


def attempt(name, deed):
    try:
        deed()
    except OSError:
        return
    print(name, file=sys.stderr)


attempt("could read", lambda: open(aims["read"]).read())
attempt("could write", lambda: open(aims["write"], "a").write("x"))
attempt("could call", lambda: socket.create_connection(("127.0.0.1", int(aims["call"])), 1))
attempt("could kill", lambda: os.kill(int(aims["kill"]), 0))
attempt("could share memory", lambda: open("/dev/shm/amazons-test", "w").close() or os.remove("/dev/shm/amazons-test"))
attempt("could keep a file", lambda: open("scratch", "w").write("x"))
print("secret:", os.environ.get("AMAZONS_SECRET"), file=sys.stderr)
