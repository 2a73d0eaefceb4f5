"""What other tools need for the same calls. Each file runs alone, in an environment that holds its tool, with BASE_URL CALLS
IN_FLIGHT FOLDER, and prints one line of JSON: wall seconds, CPU seconds, rows that came back, the tool's version. Imports and
set-up are not timed."""
