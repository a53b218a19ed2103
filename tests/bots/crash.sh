# Ends with an error.
read -r turn
exit 3
