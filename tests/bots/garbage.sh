# Says something that is no move.
echo "good morning"
