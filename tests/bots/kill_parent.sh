# Kills its parent process and stays alive.
kill -KILL $PPID
sleep 7654.321
