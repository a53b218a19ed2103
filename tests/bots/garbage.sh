# Prints a text that is no move.
echo "good morning"
