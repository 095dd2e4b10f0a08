// Calls, redirected functions, attributes, globals, sites, marker.
#include <gtest/gtest.h>

#include <regex>

#include "ir.h"

namespace plait::test {
namespace {

TEST(Module, AssemblyThatMayAccessMemoryIsMarked) {
  Ir ir = compile(Lang::C, R"(
    int x;
    void exchange(int v) { __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(x) : : "memory"); }
    void barrier(void) { __asm__ volatile("" ::: "memory"); }
    void pause(void) { __asm__ volatile("rep; nop" ::: "memory"); __asm__ volatile("pause" ::: "memory"); }
    int add(int v) { __asm__("addl $1, %0" : "+r"(v)); return v; })");
  EXPECT_EQ(count(ir.function("exchange"), "@__plait_assembly("), 1u);
  for (const char* harmless : {"barrier", "pause", "add"})
    EXPECT_EQ(count(ir.function(harmless), "@__plait_assembly("), 0u) << harmless;
}

TEST(Module, CallsThatMayKeepStateAreMarked) {
  Ir ir = compile(Lang::C, R"(
    #include <math.h>
    #include <string.h>
    void other(void); static void here(int* p) { ++*p; }
    void unknown(void) { other(); } void indirect(void (*f)(void)) { f(); } double known(double x, char* s) { return sin(x) + strlen(s); }
    void local(int* p) { here(p); })");
  EXPECT_GE(count(ir.function("unknown"), "ptr @__plait_opaque"), 2u);
  EXPECT_GE(count(ir.function("indirect"), "ptr @__plait_opaque"), 2u);
  EXPECT_EQ(count(ir.function("known"), "ptr @__plait_opaque"), 0u);
  EXPECT_EQ(count(ir.function("local"), "ptr @__plait_opaque"), 0u);
  // And whoever is called says that it is instrumented.
  EXPECT_EQ(count(ir.function("known"), "store ptr null, ptr @__plait_unknown"), 1u);
}

TEST(Redirect, AllUses) {
  Ir ir = compile(Lang::C, R"(
    #include <stdlib.h>
    #include <string.h>
    void (*release)(void*) = free;
    void f(void) { void* p = malloc(4); free(p); release(p); }
    size_t n(const char* s) { return strlen(s); }
    size_t k(void) { return strlen("four"); })");
  EXPECT_NE(ir.global("release").find("@__plait_free"), std::string::npos) << ir.global("release");
  EXPECT_EQ(count(ir.function("f"), "@__plait_malloc("), 1u);
  EXPECT_EQ(count(ir.function("f"), "@__plait_free("), 1u);
  EXPECT_EQ(count(ir.function("n"), "@__plait_strlen("), 1u);
  EXPECT_EQ(count(ir.function("k"), "ret i64 4"), 1u);
  EXPECT_EQ(count(ir.text, "@malloc("), 0u);
  EXPECT_EQ(count(ir.text, "@free("), 0u);
}

TEST(Redirect, AsmLabelsButNotOwnDefinitions) {
  Ir labelled = compile(Lang::C, "void release(void*) __asm__(\"free\"); void f(void* p) { release(p); }");
  EXPECT_EQ(count(labelled.function("f"), "@__plait_free("), 1u);
  Ir own = compile(Lang::C,
                   "__attribute__((noinline)) char* strdup(const char* s) { return (char*)s; } char* f(const char* s) "
                   "{ return strdup(s); }",
                   {"-fno-builtin"});
  EXPECT_EQ(count(own.text, "__plait_strdup"), 0u);
}

TEST(Redirect, AllocationPairsSurvive) {
  Ir ir = compile(Lang::Cxx, "void f() { delete new int(3); }", {"-O2"});
  EXPECT_EQ(count(ir.function("_Z1fv"), "@_Znwm("), 1u);
  EXPECT_EQ(count(ir.function("_Z1fv"), "@_ZdlPvm("), 1u);
}

TEST(Attributes, NoneThatLie) {
  Ir ir = compile(Lang::Cxx, R"(
    int x; __attribute__((noinline)) int get() { return x; }
    __attribute__((noinline, pure)) int pure() { return x; }
    __attribute__((noinline)) void set(int* p) { *p = 1; } int use() { set(&x); return get() + pure() + get(); })");
  for (const char* name : {"_Z3getv", "_Z4purev", "_Z3setPi"}) {
    const std::string body = ir.function(name);
    const std::string head = body.substr(0, body.find('\n'));
    std::smatch group;
    ASSERT_TRUE(std::regex_search(head, group, std::regex("#([0-9]+)"))) << head;
    std::smatch text;
    ASSERT_TRUE(std::regex_search(ir.text, text, std::regex("attributes #" + group[1].str() + " = \\{([^\n]*)")));
    for (const char* lie : {"memory(", "nosync", "nofree", "willreturn", "mustprogress"})
      EXPECT_EQ(text[1].str().find(lie), std::string::npos) << name << " has " << lie << ": " << text[1].str();
    for (const char* lie : {"readonly", "writeonly", "nocapture"}) EXPECT_EQ(head.find(lie), std::string::npos) << head;
  }
  EXPECT_EQ(count(ir.function("_Z3usev"), "@_Z3getv("), 2u);
}

TEST(Calls, SiteIsSetBeforeLeavingInstrumentedCode) {
  Ir ir = compile(Lang::C, R"(
    void ext(void); __attribute__((noinline)) static void own(void) { ext(); }
    void direct(void) { ext(); } void indirect(void (*f)(void)) { f(); } void local(void) { own(); } double math(double d) { return __builtin_sqrt(d); })",
                  {"-fno-math-errno"});
  EXPECT_EQ(count(ir.function("direct"), "ptr @__plait_call_site"), 1u);
  EXPECT_EQ(count(ir.function("indirect"), "ptr @__plait_call_site"), 1u);
  EXPECT_EQ(count(ir.function("local"), "ptr @__plait_call_site"), 0u);
  EXPECT_EQ(count(ir.function("math"), "ptr @__plait_call_site"), 0u);
}

// Line markers make the first functions a system header's.
TEST(Calls, UserSiteTellsWhoCalledALibrary) {
  Ir ir = compile(Lang::C, R"(
# 1 "/usr/include/library.h" 1 3
int shared;
__attribute__((noinline)) static int library(int* p) { return *p; }
__attribute__((noinline)) static int visit(int (*f)(int*)) { int before = f(&shared); return before + shared; }
static inline int small(int* p) { return *p; }
# 1 "user.c" 2
void ext(void);
__attribute__((noinline)) static int own(int* p) { return *p; }
int calls_library(int* p) { return library(p); }
int calls_user(int* p) { return own(p); }
void calls_elsewhere(void) { ext(); }
int calls_pointer(int (*f)(int*)) { return f(&shared); }
int calls_visitor(void) { return visit(own); }
int inlines_library(int* p) { return small(p); })");
  const std::regex library_site(R"(@plait\.sites, i64 \d*[13579]\))");
  auto stores = [&](const char* name) { return count(ir.function(name), "ptr @__plait_user_site"); };
  auto marked = [&](const char* name) { return std::regex_search(ir.function(name), library_site); };
  EXPECT_EQ(stores("calls_library"), 1u);
  EXPECT_EQ(stores("calls_user"), 0u);
  EXPECT_EQ(stores("calls_elsewhere"), 1u);
  EXPECT_EQ(stores("calls_pointer"), 1u);
  EXPECT_EQ(stores("calls_visitor"), 1u);
  EXPECT_EQ(stores("inlines_library"), 0u);
  EXPECT_EQ(stores("library"), 0u);
  EXPECT_EQ(stores("visit"), 2u) << "kept over the call of what may be user code";
  for (const char* name : {"library", "visit"}) EXPECT_TRUE(marked(name)) << ir.function(name);
  for (const char* name : {"own", "inlines_library", "calls_library"}) EXPECT_FALSE(marked(name)) << ir.function(name);
}

TEST(Globals, MutableOnesMove) {
  Ir ir = compile(Lang::Cxx, R"(
    int a = 1; static int b; const int c = 3; thread_local int t; int table[4]; char large[70000]; char filled[70000] = {1};
    __attribute__((section("mine"))) int special; extern int elsewhere; inline int shared_inline = 4;
    template <class T> struct S { static int n; }; template <class T> int S<T>::n = 2;
    int f() { static int local = 5; return a + b++ + c + t + table[1] + large[0] + filled[1] + special + elsewhere + shared_inline++ + S<int>::n++ + local++; })");
  for (const char* name : {"a", "_ZL1b", "shared_inline", "_ZN1SIiE1nE", "_ZZ1fvE5local"})
    EXPECT_NE(ir.global(name).find("section \"plait_data\""), std::string::npos) << name << ": " << ir.global(name);
  for (const char* name : {"table", "filled"})
    EXPECT_NE(ir.global(name).find("section \"plait_arrays\""), std::string::npos) << name << ": " << ir.global(name);
  for (const char* name : {"t", "large", "special", "elsewhere"})
    EXPECT_EQ(ir.global(name).find("section \"plait_data\""), std::string::npos) << name;
  EXPECT_EQ(count(ir.text, "section \"plait_globals\""), 8u);
  EXPECT_NE(ir.text.find("{ ptr @large, i64 70000,"), std::string::npos);
  std::smatch row;
  EXPECT_TRUE(std::regex_search(ir.text, std::regex("ptr @large, i64 70000, ptr @[^,]*, ptr @[^,]*, i32 2, i32 2 ")));
  EXPECT_TRUE(std::regex_search(
      ir.text, std::regex("ptr @shared_inline.*section \"plait_globals\", comdat\\(\\$shared_inline\\)")));
  EXPECT_TRUE(ir.has_text("S<int>::n")) << "names are the source's";
}

TEST(Globals, ArraysAndStructsHaveRedZones) {
  Ir ir = compile(Lang::Cxx, R"(
    int scalar = 1; int table[4]; char large[70000]; inline int shared_inline[5]; const int fixed[2] = {1, 2};
    __attribute__((weak)) int weak[2]; __attribute__((section("mine"))) int special[2]; thread_local int own[2];
    int f(int i) { return scalar++ + table[i]++ + large[i]++ + shared_inline[i]++ + fixed[i] + weak[i]++ + special[i]++ + own[i]++; })");
  auto has_row = [&](const std::string& row) {
    return std::regex_search(ir.text, std::regex(row + ".*section \"plait_red_zones\""));
  };
  EXPECT_TRUE(has_row("ptr @table, i64 16, i64 48,"));
  EXPECT_TRUE(has_row("ptr @large, i64 70000, i64 4112,"));
  EXPECT_TRUE(has_row("ptr @shared_inline, i64 20, i64 44,"));
  EXPECT_TRUE(has_row("ptr @plait.red_zone, i64 0, i64 32, ptr null"));
  EXPECT_EQ(count(ir.text, "section \"plait_red_zones\""), 4u);
  EXPECT_NE(ir.global("table").find("{ [4 x i32], [48 x i8] } zeroinitializer"), std::string::npos)
      << ir.global("table");
  EXPECT_NE(ir.global("table").find("!dbg"), std::string::npos) << ir.global("table");
  for (const char* name : {"fixed", "weak", "special", "own"})
    EXPECT_EQ(ir.global(name).find("i8]"), std::string::npos) << name;
}

TEST(Globals, CommonSymbolsBecomeWeak) {
  Ir ir = compile(Lang::C, "int x; int f(void) { return x; }", {"-fcommon"});
  EXPECT_NE(ir.global("x").find("weak"), std::string::npos) << ir.global("x");
  EXPECT_NE(ir.global("x").find("plait_data"), std::string::npos);
}

TEST(Sites, TextsOfAccesses) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <atomic>
    struct Node { int key; Node* next; long data[4]; };
    namespace bank { struct Account { int id; long balance; std::atomic<int> version; } account; }
    Node* head; long grid[3][5];
    void a(Node* n, int i) { n->data[2] = 1; n->data[i] = 2; n->next->key = 3; head->next = n; }
    void b(bank::Account& r) { r.balance = 1; r.version.fetch_add(1); bank::account.version = 4; grid[1][2] = 3; }
    void ext(int*); void c() { int local; ext(&local); local = 3; } void d(int* p) { *p = 1; p[3] = 2; })");
  for (const char* text : {"n->data[2]", "n->data[i]", "n->next", "n->next->key", "head", "head->next", "r.balance",
                           "r.version", "bank::account.version", "grid[1][2]", "local", "*p", "p[3]"})
    EXPECT_TRUE(ir.has_text(text)) << text;
}

TEST(Sites, TextsOfObjects) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <mutex>
    #include <pthread.h>
    struct Account { pthread_mutex_t lock; std::mutex mutex; };
    void a(Account* from, Account& to) { pthread_mutex_lock(&from->lock); to.mutex.unlock(); }
    void b(pthread_cond_t* changed) { pthread_cond_signal(changed); }
    void c(pthread_t thread) { pthread_join(thread, nullptr); })");
  for (const char* text : {"from->lock", "to.mutex", "*changed"}) EXPECT_TRUE(ir.has_text(text)) << text;
  EXPECT_FALSE(ir.has_text("thread"));
}

TEST(Sites, CapturedVariablesHaveTheirOwnNames) {
  Ir ir = compile(Lang::Cxx, R"(
    #include <thread>
    void f() { int total = 0; std::thread t([&] { total = 1; }); t.join(); })");
  EXPECT_TRUE(ir.has_text("total"));
  EXPECT_EQ(count(ir.text, "_head_impl.total"), 0u);
}

TEST(Sites, TextsAtO0) {
  Ir ir =
      compile(Lang::C, "struct s { int a, b; }; void f(struct s* p, int i, long* v) { p->b = 1; v[i] = 2; }", {"-O0"});
  EXPECT_TRUE(ir.has_text("p->b"));
  EXPECT_TRUE(ir.has_text("v[i]"));
}

TEST(Sites, InlinedAtChain) {
  Ir ir =
      compile(Lang::C, "int x;\nstatic inline void inner(void) {\n  x = 1;\n}\nvoid outer(void) {\n  inner();\n}\n");
  // The store's entry is on line 3 and its parent is an entry of the table; the parent is on line 6.
  EXPECT_TRUE(std::regex_search(
      ir.text, std::regex("ptr (@plait.sites|getelementptr[^)]*@plait.sites[^)]*\\)), i32 3, i32 5 ")));
  EXPECT_TRUE(std::regex_search(ir.text, std::regex("ptr null, i32 6, i32 3 ")));
}

TEST(Sites, WithoutDebugInformation) {
  Ir ir = compile(Lang::C, "int x; void f(void) { x = 1; }", {"-g0"});
  EXPECT_EQ(count(ir.function("f"), "@__plait_store4("), 1u);
  EXPECT_TRUE(ir.has_text("f"));
}

TEST(Marker, NoteAndRuntimeVersion) {
  Ir ir = compile(Lang::C, "int f(void) { return 0; }");
  EXPECT_NE(ir.global("__plait_note").find("plait-instrumented v1"), std::string::npos);
  EXPECT_NE(ir.global("__plait_note").find("section \".note.plait\""), std::string::npos);
  EXPECT_NE(ir.global("__plait_abi_reference").find("@__plait_abi_2"), std::string::npos);
}

}  // namespace
}  // namespace plait::test
