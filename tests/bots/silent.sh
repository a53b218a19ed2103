# Reads and says nothing.
cat > /dev/null
