# Moves from a square that holds none of its amazons.
read -r turn
echo "3 3 3 4 3 5"
