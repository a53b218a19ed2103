# Leaves its session by two forks, and lets another program play on where nobody looks for it.
import os
import sys
import time

if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
time.sleep(0.1)
os.execvp(sys.argv[1], sys.argv[1:])
