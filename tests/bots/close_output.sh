# Closes its output and stays alive.
exec >&-
sleep 7654.321
