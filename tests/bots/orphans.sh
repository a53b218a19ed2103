# Has a child of a session of its own, and says nothing.
setsid sleep 8765.432 &
exec sleep 8765.432
