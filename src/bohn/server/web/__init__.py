"""HTTP and WebSocket: everything between the sockets and the tables."""
