# Uses 160 MB of memory, then waits.
import time

block = bytearray(b"x" * 160_000_000)
time.sleep(7654.321)
