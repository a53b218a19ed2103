# Kills every process that has the first argument on its command line. Then runs the program in the further arguments.
import os
import signal
import sys

word, *program = sys.argv[1:]
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        words = open(f"/proc/{process}/cmdline").read().split("\0")
        mine = int(process) in (os.getpid(), os.getppid())
        if word in words and "arena" not in words and not mine:
            os.kill(int(process), signal.SIGKILL)
    except OSError:
        continue
os.execvp(program[0], program)
