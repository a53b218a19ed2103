# Moves from a square without an amazon of its own.
read -r turn
echo "3 3 3 4 3 5"
