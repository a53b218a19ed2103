# Prints 3 MB to standard error, ending with a last line, and answers with garbage.
import sys

for number in range(3000):
    sys.stderr.write("x" * 999 + "\n")
sys.stderr.write("\x1b[31mthe end\n")
sys.stderr.flush()
print("good morning")
