# Ends with an error code.
read -r turn
exit 3
