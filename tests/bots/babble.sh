# Never stops talking.
while :; do echo babble babble babble babble babble babble babble babble; done
