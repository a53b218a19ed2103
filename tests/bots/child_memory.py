# Uses 160 MB of memory in a child process in its own session, then waits.
import os
import time

if os.fork() == 0:
    os.setsid()
    block = bytearray(b"x" * 160_000_000)
time.sleep(7654.321)
