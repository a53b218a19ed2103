# Prints without end.
while :; do echo babble babble babble babble babble babble babble babble; done
