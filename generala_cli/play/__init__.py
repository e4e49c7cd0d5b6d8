"""The full screen and the line dialogue of `generala play`: input, layout and terminal."""
