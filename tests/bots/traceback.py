# Fails with an exception and its traceback.
input()
moves = []
print(moves[0])
