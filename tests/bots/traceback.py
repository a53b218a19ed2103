# Dies as a program of Python does that has a mistake in it.
input()
moves = []
print(moves[0])
