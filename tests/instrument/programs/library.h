#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdexcept>

inline int inline_counter = 10;
template <typename T>
struct Holder {
  static int count;
};
template <typename T>
int Holder<T>::count = sizeof(T);
extern char large[70000];
void bump();
