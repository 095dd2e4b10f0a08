// Every library function that the runtime stands in for and that writes to or reads from memory of the program: `calls FUNCTION TARGET`.
// What the function writes depends on a race-free atomic choice; where it writes to is TARGET. library_calls_test.py checks that all explorers
// see the same outcomes, and that there are as many as there must be.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum { kSize = 128 };
static char global[kSize];
static char* target;     // what the calls write to
static atomic_int choice, later;
static int function = -1, kind = -1;
static unsigned long result;

static int compare(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
static int compare_with(const void* a, const void* b, void* sign) { return *(int*)sign * compare(a, b); }
static int formatted(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
static int formatted_n(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(to, kSize, format, arguments);
  va_end(arguments);
  return length;
}
static int formatted_new(char** to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
static int scanned(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// Writes: `c` is 0 or 1, `t` the target, filled with '!' and a final zero before the fork.
#define WRITES(X) \
  X(memcpy, memcpy(t, c ? "abcd" : "efgh", 4)) \
  X(memmove, memmove(t, c ? "abcd" : "efgh", 4)) \
  X(mempcpy, mempcpy(t, c ? "abcd" : "efgh", 4)) \
  X(memccpy, memccpy(t, c ? "abcd" : "efgh", c ? 'c' : 'g', 4)) \
  X(swab, swab(c ? "abcd" : "efgh", t, 4)) \
  X(memset, memset(t, c ? 'a' : 'b', 5)) \
  X(bzero, bzero(t, c ? 2 : 3)) \
  X(bcopy, bcopy(c ? "abcd" : "efgh", t, 4)) \
  X(strcpy, strcpy(t, c ? "abcd" : "ef")) \
  X(stpcpy, stpcpy(t, c ? "abcd" : "ef")) \
  X(strncpy, strncpy(t, c ? "abcd" : "ef", 8)) \
  X(stpncpy, stpncpy(t, c ? "abcd" : "ef", 8)) \
  X(strcat, (t[1] = 0, strcat(t, c ? "abcd" : "ef"))) \
  X(strncat, (t[1] = 0, strncat(t, c ? "abcd" : "ef", 3))) \
  X(strtok, (strcpy(t, "a b"), strtok(t, c ? " " : "b"))) \
  X(strtok_r, (strcpy(t, "a b c"), strtok_r(t, c ? " " : "b", (char**)(t + 16)))) \
  X(strsep, (*(char**)(t + 16) = t, strcpy(t, "a b c"), strsep((char**)(t + 16), c ? " " : "b"))) \
  X(strxfrm, strxfrm(t, c ? "abcd" : "ef", 8)) \
  X(strerror_r, strerror_r(c ? 1000 : 2000, t, 40)) \
  X(gmtime_r, gmtime_r(&(time_t){c ? 0 : 3456000}, (struct tm*)t)) \
  X(localtime_r, localtime_r(&(time_t){c ? 0 : 3456000}, (struct tm*)t)) \
  X(timegm, (memset(t, 0, sizeof(struct tm)), ((struct tm*)t)->tm_mday = c ? 32 : 1, timegm((struct tm*)t))) \
  X(asctime_r, asctime_r(&(struct tm){.tm_year = 100, .tm_mday = c + 1}, t)) \
  X(ctime_r, ctime_r(&(time_t){c ? 0 : 3456000}, t)) \
  X(strftime, strftime(t, 40, c ? "%Y-%m" : "%d", &(struct tm){.tm_year = 100, .tm_mday = 7})) \
  X(strdup, *(char**)t = strdup(c ? "abcd" : "e") + c) \
  X(strndup, *(char**)t = strndup(c ? "abcd" : "e", 3) + c) \
  X(sprintf, sprintf(t, "%d", c)) \
  X(snprintf, snprintf(t, 8, "%s", c ? "abcd" : "ef")) \
  X(vsprintf, formatted(t, "%d %s", c, "x")) \
  X(vsnprintf, formatted_n(t, "%d %s", c, "x")) \
  X(sprintf_count, sprintf(t + 16, "%s%n", c ? "abcd" : "ef", (int*)t)) \
  X(asprintf, ((void)!asprintf((char**)t, "%*d", c ? 40 : 1, 1), *(char**)(t + 8) = strdup(""))) \
  X(vasprintf, (formatted_new((char**)t, "%*d", c ? 40 : 1, 1), *(char**)(t + 8) = strdup(""))) \
  X(sscanf, sscanf(c ? "1" : "2", "%d", (int*)t)) \
  X(sscanf_many, sscanf(c ? "1 word 2.5 x" : "2 text 3.5 y", "%hd %s %lf %c%n", (short*)t, t + 8, (double*)(t + 24), t + 32, (int*)(t + 36))) \
  X(sscanf_set, sscanf(c ? "abc1" : "ab1", "%[a-z]%*d", t)) \
  X(sscanf_some, sscanf(c ? "1 2" : "1 x", "%d %d", (int*)t, (int*)(t + 8))) \
  X(vsscanf, scanned(c ? "1" : "2", "%ld", (long*)t)) \
  X(strtol, (void)strtol(c ? "12x" : "345x", (char**)t, 10)) \
  X(strtoll, (void)strtoll(c ? "12x" : "345x", (char**)t, 0)) \
  X(strtoul, (void)strtoul(c ? "0x12x" : "345x", (char**)t, 0)) \
  X(strtoull, (void)strtoull(c ? "12x" : "345x", (char**)t, 16)) \
  X(strtoimax, (void)strtoimax(c ? "12x" : "345x", (char**)t, 16)) \
  X(strtoumax, (void)strtoumax(c ? "12x" : "345x", (char**)t, 16)) \
  X(strtof, (void)strtof(c ? "1.5x" : "34.5e2x", (char**)t)) \
  X(strtod, (void)strtod(c ? "1.5x" : " -34.5e2x", (char**)t)) \
  X(strtold, (void)strtold(c ? "nan(1)x" : "infinity", (char**)t)) \
  X(wcstol, (void)wcstol(c ? L"12x" : L"345x", (wchar_t**)t, 10)) \
  X(wcstoll, (void)wcstoll(c ? L"12x" : L"345x", (wchar_t**)t, 10)) \
  X(wcstoul, (void)wcstoul(c ? L"12x" : L"345x", (wchar_t**)t, 10)) \
  X(wcstoull, (void)wcstoull(c ? L"12x" : L"345x", (wchar_t**)t, 10)) \
  X(wcstof, (void)wcstof(c ? L"1.5x" : L"34.5e2x", (wchar_t**)t)) \
  X(wcstod, (void)wcstod(c ? L"1.5x" : L"34.5e2x", (wchar_t**)t)) \
  X(wcstold, (void)wcstold(c ? L"1.5x" : L"34.5e2x", (wchar_t**)t)) \
  X(wcscpy, wcscpy(w, c ? L"abcd" : L"ef")) \
  X(wcpcpy, wcpcpy(w, c ? L"abcd" : L"ef")) \
  X(wcsncpy, wcsncpy(w, c ? L"abcd" : L"ef", 6)) \
  X(wcpncpy, wcpncpy(w, c ? L"abcd" : L"ef", 6)) \
  X(wcscat, (w[1] = 0, wcscat(w, c ? L"abcd" : L"ef"))) \
  X(wcsncat, (w[1] = 0, wcsncat(w, c ? L"abcd" : L"ef", 3))) \
  X(wcstok, (wcscpy(w, L"a b c"), wcstok(w, c ? L" " : L"b", (wchar_t**)(t + 32)))) \
  X(wcsdup, *(wchar_t**)t = wcsdup(c ? L"abcd" : L"e") + c) \
  X(mbstowcs, mbstowcs(w, c ? "abcd" : "ef", 8)) \
  X(wcstombs, wcstombs(t, c ? L"abcd" : L"ef", 8)) \
  X(mbtowc, (void)!mbtowc(w, c ? "a" : "b", 1)) \
  X(wctomb, (void)!wctomb(t, c ? L'a' : L'b')) \
  X(wmemcpy, wmemcpy(w, c ? L"abcd" : L"efgh", 4)) \
  X(wmemmove, wmemmove(w, c ? L"abcd" : L"efgh", 4)) \
  X(wmempcpy, wmempcpy(w, c ? L"abcd" : L"efgh", 4)) \
  X(wmemset, wmemset(w, c ? L'a' : L'b', 4)) \
  X(frexp, (void)frexp(c ? 3.0 : 9.0, (int*)t)) \
  X(frexpf, (void)frexpf(c ? 3.0f : 9.0f, (int*)t)) \
  X(frexpl, (void)frexpl(c ? 3.0L : 9.0L, (int*)t)) \
  X(modf, (void)modf(c ? 3.5 : 9.5, (double*)t)) \
  X(modff, (void)modff(c ? 3.5f : 9.5f, (float*)t)) \
  X(modfl, (void)modfl(c ? 3.5L : 9.5L, (long double*)t)) \
  X(sincos, sincos(c ? 1.0 : 2.0, (double*)t, (double*)(t + 16))) \
  X(sincosf, sincosf(c ? 1.0f : 2.0f, (float*)t, (float*)(t + 16))) \
  X(sincosl, sincosl(c ? 1.0L : 2.0L, (long double*)t, (long double*)(t + 16))) \
  X(remquo, (void)remquo(c ? 7.0 : 11.0, 2.0, (int*)t)) \
  X(remquof, (void)remquof(c ? 7.0f : 11.0f, 2.0f, (int*)t)) \
  X(remquol, (void)remquol(c ? 7.0L : 11.0L, 2.0L, (int*)t)) \
  X(qsort, (memcpy(t, c ? "dcba" : "bdca", 4), qsort(t, c ? 3 : 4, 1, compare))) \
  X(qsort_r, (memcpy(t, "dcba", 4), *(int*)(t + 8) = c ? 1 : -1, qsort_r(t, 4, 1, compare_with, t + 8))) \
  X(rand_r, (*(unsigned*)t = (unsigned)c, rand_r((unsigned*)t))) \
  X(getrandom, (srand(c), (void)!getrandom(t, 8, 0))) \
  X(getentropy, (srand(c), (void)!getentropy(t, 8))) \
  X(posix_memalign, (void)!posix_memalign((void**)t, c ? 16 : 64, 8)) \
  X(time, (sleep(c + 1), time((time_t*)t))) \
  X(clock_gettime, (usleep(c + 1), clock_gettime(CLOCK_MONOTONIC, (struct timespec*)t)))\
  X(clock_getres, (t[0] = c, clock_getres(CLOCK_MONOTONIC, (struct timespec*)(t + 8)))) \
  X(gettimeofday, (sleep(c + 1), gettimeofday((struct timeval*)t, NULL))) \
  X(timespec_get, (sleep(c + 1), timespec_get((struct timespec*)t, TIME_UTC))) \
  X(sem_getvalue, { static sem_t s; sem_init(&s, 0, c ? 3 : 4); sem_getvalue(&s, (int*)t); }) \
  X(pthread_join, { pthread_t h; pthread_create(&h, NULL, gives, c ? "a" : "b"); pthread_join(h, (void**)t); }) \
  X(pthread_tryjoin_np, { pthread_t h; pthread_create(&h, NULL, gives, c ? "a" : "b"); if (pthread_tryjoin_np(h, (void**)t)) pthread_join(h, (void**)t); }) \
  X(thrd_join, { thrd_t h; thrd_create(&h, adds, c ? "a" : "b"); thrd_join(h, (int*)t); }) \
  X(pthread_key_create, { pthread_key_t k; if (c) pthread_key_create(&k, NULL); pthread_key_create((pthread_key_t*)t, NULL); }) \
  X(pthread_setcancelstate, { if (c) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, (int*)t); }) \
  X(pthread_setcanceltype, { if (c) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, (int*)t); }) \
  X(pthread_getname_np, { pthread_setname_np(pthread_self(), c ? "one" : "other"); pthread_getname_np(pthread_self(), t, 16); }) \
  X(pthread_getschedparam, { struct sched_param p = {c + 1}; pthread_setschedparam(pthread_self(), SCHED_RR, &p); pthread_getschedparam(pthread_self(), (int*)t, (void*)(t + 4)); }) \
  X(pthread_getaffinity_np, (t[kSize / 2] = c, pthread_getaffinity_np(pthread_self(), kSize / 2, (void*)t))) \
  X(sigfillset, (sigemptyset((sigset_t*)t), c && sigfillset((sigset_t*)t))) \
  X(sigaddset, (sigemptyset((sigset_t*)t), sigaddset((sigset_t*)t, c + 1))) \
  X(sched_getparam, { struct sched_param p = {c + 1}; sched_setscheduler(0, SCHED_RR, &p); sched_getparam(0, (void*)t); }) \
  X(pthread_getcpuclockid, (t[8] = c, pthread_getcpuclockid(pthread_self(), (clockid_t*)t))) \
  X(pthread_attr_setdetachstate, (pthread_attr_init((void*)t), pthread_attr_setdetachstate((void*)t, c))) \
  X(pthread_attr_getdetachstate, { pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, c); pthread_attr_getdetachstate(&a, (int*)t); }) \
  X(pthread_mutexattr_settype, (pthread_mutexattr_init((void*)t), pthread_mutexattr_settype((void*)t, c))) \
  X(pthread_condattr_setclock, (pthread_condattr_init((void*)t), pthread_condattr_setclock((void*)t, c ? CLOCK_MONOTONIC : CLOCK_REALTIME)))

// Reads: `c` is 0 or 1, `t` holds a text that depends on it, written by another thread under a mutex.
#define READS(X) \
  X(strlen, strlen(t)) \
  X(strnlen, strnlen(t, 50)) \
  X(memcmp, memcmp(t, "12 ab", 5)) \
  X(bcmp, bcmp(t, "12 ab", 5)) \
  X(memchr, (char*)memchr(t, 'b', 10) - t) \
  X(memrchr, (char*)memrchr(t, ' ', 6) - t) \
  X(rawmemchr, (char*)rawmemchr(t, 'b') - t) \
  X(memmem, (char*)memmem(t, 10, "ab", 2) - t) \
  X(strcmp, strcmp(t, "12 ab")) \
  X(strncmp, strncmp(t, "12 ab", 5)) \
  X(strcasecmp, strcasecmp(t, "12 AB")) \
  X(strncasecmp, strncasecmp(t, "12 AB", 5)) \
  X(strcoll, strcoll(t, "12 ab") != 0) \
  X(strchr, strchr(t, 'b') - t) \
  X(index, index(t, 'b') - t) \
  X(strchrnul, strchrnul(t, 'z') - t) \
  X(strrchr, strrchr(t, 'b') - t) \
  X(rindex, rindex(t, 'b') - t) \
  X(strstr, strstr(t, "ab") - t) \
  X(strcasestr, strcasestr(t, "AB") - t) \
  X(strspn, strspn(t, "123")) \
  X(strcspn, strcspn(t, "ab")) \
  X(strpbrk, strpbrk(t, "ab") - t) \
  X(atoi, atoi(t)) \
  X(atol, atol(t)) \
  X(atoll, atoll(t)) \
  X(atof, (long)atof(t)) \
  X(strtol_value, strtol(t, NULL, 10)) \
  X(strtod_value, (long)strtod(t, NULL)) \
  X(sscanf_input, ({ int v = 0; sscanf(t, "%d", &v); v; })) \
  X(snprintf_input, ({ char b[16]; snprintf(b, sizeof b, "%s", t) * 10; })) \
  X(strdup_input, ({ char* d = strdup(t); long v = d[2]; free(d); v; })) \
  X(wcslen, wcslen(w)) \
  X(wcsnlen, wcsnlen(w, 20)) \
  X(wcscmp, wcscmp(w, L"12 ab")) \
  X(wcsncmp, wcsncmp(w, L"12 ab", 5)) \
  X(wcscasecmp, wcscasecmp(w, L"12 AB")) \
  X(wcsncasecmp, wcsncasecmp(w, L"12 AB", 5)) \
  X(wcschr, wcschr(w, L'b') - w) \
  X(wcschrnul, wcschrnul(w, L'z') - w) \
  X(wcsrchr, wcsrchr(w, L'b') - w) \
  X(wcsstr, wcsstr(w, L"ab") - w) \
  X(wcsspn, wcsspn(w, L"123")) \
  X(wcscspn, wcscspn(w, L"ab")) \
  X(wcspbrk, wcspbrk(w, L"ab") - w) \
  X(wmemcmp, wmemcmp(w, L"12 ab", 5)) \
  X(wmemchr, wmemchr(w, L'b', 10) - w) \
  X(wcstombs_input, wcstombs(NULL, w, 0)) \
  X(wcstol_value, wcstol(w, NULL, 10)) \
  X(mbstowcs_input, mbstowcs(NULL, t, 0)) \
  X(bsearch, ({ char* f = bsearch("b", t, 6, 1, compare); f ? f - t : -1; })) \
  X(nanosleep, (nanosleep((struct timespec[]){{atoi(t), 0}}, NULL), time(NULL)))

static void* gives(void* text) { return text; }
static int adds(void* text) { return *(char*)text; }

enum {
#define NUMBER(name, call) kWrite_##name,
  WRITES(NUMBER)
#undef NUMBER
#define NUMBER(name, call) kRead_##name,
  READS(NUMBER)
#undef NUMBER
  kCount
};
static const char* const kNames[] = {
#define NAME(name, call) #name,
    WRITES(NAME) READS(NAME)
#undef NAME
};

static void write_it(int c, char* t) {
  wchar_t* w = (wchar_t*)t;
  (void)w;
  switch (function) {
#define CASE(name, call) case kWrite_##name: call; break;
    WRITES(CASE)
#undef CASE
  }
}

static long read_it(char* t) {
  wchar_t* w = (wchar_t*)t;
  (void)w;
  switch (function) {
#define CASE(name, call) case kRead_##name: return (long)(call);
    READS(CASE)
#undef CASE
  }
  return -1;
}

static unsigned long digest(const char* t) {
  unsigned long hash = 0;
  for (int i = 0; i < kSize; ++i) hash = hash * 31 + (unsigned char)t[i];
  return hash;
}

static void fill(char* t) {
  memset(t, '!', kSize - 1);
  t[kSize - 1] = 0;
}

enum { kPrivate, kStack, kHeap, kForeign, kShared };
static const char* const kKinds[] = {"private", "stack", "heap", "foreign", "shared"};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// The writer: what it has written must be part of its state when it comes to the load of `later`.
static void* calls_writer(void* unused) {
  char own[kSize];
  char* t = kind == kStack ? own : kind == kHeap ? malloc(kSize) : target;
  if (kind == kStack || kind == kHeap) fill(t);
  if (kind == kShared) pthread_mutex_lock(&mutex);
  write_it(choice, t);
  if (kind == kShared) pthread_mutex_unlock(&mutex);
  const int seen = later;
  if (kind != kShared) result = digest(t) * 2 + (unsigned)seen;
  return unused;
}

static void* chooses(void* unused) {
  choice = 1;
  later = 1;
  if (kind == kShared) {
    pthread_mutex_lock(&mutex);
    result = digest(target);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void put_text(char* t, const char* text) {
  if (function >= kRead_wcslen && function <= kRead_wcstol_value)
    for (wchar_t* w = (wchar_t*)t;; ++w, ++text) {
      *w = *text;
      if (!*text) break;
    }
  else
    strcpy(t, text);
}

static void* reader(void* unused) {
  pthread_mutex_lock(&mutex);
  const long value = read_it(target);
  pthread_mutex_unlock(&mutex);
  result = (unsigned long)value * 2 + (unsigned)later;
  return unused;
}
static void* changes(void* unused) {
  pthread_mutex_lock(&mutex);
  put_text(target, "123 abb");
  pthread_mutex_unlock(&mutex);
  later = 1;
  return unused;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    for (int i = 0; i < kCount; ++i) printf("%s %s\n", i < kRead_strlen ? "write" : "read", kNames[i]);
    return 0;
  }
  for (int i = 0; i < kCount; ++i)
    if (!strcmp(kNames[i], argv[1])) function = i;
  const int reads = function >= kRead_strlen;
  for (int i = 0; !reads && i < 5; ++i)
    if (argc > 2 && !strcmp(kKinds[i], argv[2])) kind = i;
  if (function < 0 || (!reads && kind < 0)) return 3;
  char on_main[kSize];
  target = kind == kForeign ? on_main : global;
  fill(target);
  if (reads) put_text(target, "12 ab");
  pthread_t a, b;
  pthread_create(&a, NULL, reads ? reader : calls_writer, NULL);
  pthread_create(&b, NULL, reads ? changes : chooses, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (kind == kShared) printf("%lx ", digest(target));
  printf("%lx\n", result);
  return 0;
}
