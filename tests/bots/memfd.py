# Keeps 160 MB in an unnamed file that is not mapped into memory.
import os
import time

file = os.memfd_create("hidden")
for _ in range(160):
    os.write(file, b"x" * 1_000_000)
time.sleep(7654.321)
