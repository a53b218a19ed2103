# Answers the first turn one byte at a time.
import os

input()
for byte in b"2 0 2 6 6 6\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n":
    os.write(1, bytes([byte]))
input()
