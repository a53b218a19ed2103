# Says 3 MB on standard error, ends it with a complaint, and answers with garbage.
import sys

for number in range(3000):
    sys.stderr.write("x" * 999 + "\n")
sys.stderr.write("\x1b[31mthe end\n")
sys.stderr.flush()
print("good morning")
