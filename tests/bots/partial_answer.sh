# Ends in the middle of its answer.
printf '2 0 2'
exit 1
