# Starts a child process in its own session, and prints nothing.
setsid sleep 8765.432 &
exec sleep 8765.432
