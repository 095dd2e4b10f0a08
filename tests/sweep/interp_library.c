#define _GNU_SOURCE
#include "interp_library.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int descending(const void* one, const void* other) { return *(const int*)other - *(const int*)one; }

static int scanned(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsscanf(text, format, arguments);  // access |
  va_end(arguments);
  return count;
}

/// Those that give what they write in other ways, or to a place of their own.
static void written_otherwise(unsigned function, unsigned* target, unsigned c) {
  const char* const ones = &"111x"[3 - c];
  switch (function) {
    case 1: {
      char* end;
      strtol(ones, &end, 10);
      *target = (unsigned)(end - ones);  // access |
      break;
    }
    case 3: {
      double whole;
      modf(c + 0.5, &whole);
      *target = (unsigned)whole;  // access |
      break;
    }
    case 5: {
      int numbers[4] = {1, 3, 0, 2};
      qsort(numbers, 4, sizeof(int), descending);
      *target = (unsigned)numbers[3 - c];  // access |
      break;
    }
    case 7: {
      char text[8];
      snprintf(text, sizeof text, "%u", c);
      *target = (unsigned)(text[0] - '0');  // access |
      break;
    }
    case 9: {
      char* text;
      if (asprintf(&text, "%u", c) != 1) abort();
      *target = (unsigned)(text[0] - '0');  // access |
      free(text);
      break;
    }
    case 22: {
      char text[8] = "a b c d", *rest = text;
      for (unsigned i = 0; i < c; ++i) strsep(&rest, " ");
      *target = (unsigned)(rest - text) / 2;  // access |
      break;
    }
    default: {
      wchar_t* end;
      const wchar_t* const wide = &L"111x"[3 - c];
      wcstol(wide, &end, 10);
      *target = (unsigned)(end - wide);  // access |
      break;
    }
  }
}

void written_by_library(unsigned function, unsigned* target, unsigned c) {
  const char digits[] = {(char)('0' + c), 0}, character[] = {(char)c, 0};
  const wchar_t wide[] = {(wchar_t)c, 0};
  switch (function) {
    case 0:
      sscanf(digits, "%u", target);  // access |
      break;
    case 2:
      frexp(ldexp(0.5, (int)c), (int*)target);  // access |
      break;
    case 4:
      memccpy(target, &c, 0xee, sizeof c);  // access |
      break;
    case 6:
      mbstowcs((wchar_t*)target, character, 1);  // access |
      break;
    case 8:
      remquo(c, 1.0, (int*)target);  // access |
      break;
    case 10:
      memcpy(target, &c, sizeof c);  // access |
      break;
    case 11:
      memmove(target, &c, sizeof c);  // access |
      break;
    case 12:
      mempcpy(target, &c, sizeof c);  // access |
      break;
    case 13:
      wmemcpy((wchar_t*)target, wide, 1);  // access |
      break;
    case 14:
      wmemset((wchar_t*)target, (wchar_t)c, 1);  // access |
      break;
    case 15:
      frexpf(ldexpf(0.5f, (int)c), (int*)target);  // access |
      break;
    case 16:
      remquol(c, 1.0L, (int*)target);  // access |
      break;
    case 17:
      scanned(digits, "%u", target);  // access |
      break;
    case 18: {
      sem_t semaphore;
      sem_init(&semaphore, 0, c);
      sem_getvalue(&semaphore, (int*)target);  // access |
      break;
    }
    case 19:
      wcsncpy((wchar_t*)target, wide, 1);  // access |
      break;
    case 20: {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      struct sched_param priority = {(int)c};
      pthread_attr_setschedpolicy(&attributes, c ? 1 : 0);
      pthread_attr_setschedparam(&attributes, &priority);
      struct sched_param read;
      pthread_attr_getschedparam(&attributes, &read);
      *target = (unsigned)read.sched_priority;  // access |
      break;
    }
    case 21: {
      pthread_mutexattr_t attributes;
      pthread_mutexattr_init(&attributes);
      int kind = 0;
      pthread_mutexattr_settype(&attributes, c < 3 ? (int)c : 0);
      pthread_mutexattr_gettype(&attributes, &kind);
      *target = c < 3 ? (unsigned)kind : 3;  // access |
      break;
    }
    default: written_otherwise(function, target, c); break;
  }
}

unsigned read_by_library(unsigned function, const unsigned* source) {
  unsigned value = 0;
  switch (function) {
    case 0:
      memcpy(&value, source, sizeof value);  // access )
      break;
    case 1:
      memmove(&value, source, sizeof value);  // access )
      break;
    case 2:
      mempcpy(&value, source, sizeof value);  // access )
      break;
    case 3:
      wmemcpy((wchar_t*)&value, (const wchar_t*)source, 1);  // access )
      break;
    case 4:
      wcsncpy((wchar_t*)&value, (const wchar_t*)source, 1);  // access )
      break;
    default:
      memccpy(&value, source, 0xee, sizeof value);  // access )
      break;
  }
  return value;
}
