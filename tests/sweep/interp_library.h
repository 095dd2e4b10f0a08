// Library functions that write and read, by number (program.h: `=`, `|` and `)`).
#pragma once

/// A library function writes c (0 to 3) to the target.
void written_by_library(unsigned function, unsigned* target, unsigned c);

/// A library function reads what is there, at once.
unsigned read_by_library(unsigned function, const unsigned* source);
