# Keeps 160 MB in a file without a name that is mapped nowhere.
import os
import time

file = os.memfd_create("hidden")
for _ in range(160):
    os.write(file, b"x" * 1_000_000)
time.sleep(7654.321)
