"""The web server's part: HTTP requests, the WebSocket, and the files of the page."""
