# Leaves its session by forking twice, and runs another program in the detached process.
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
