// rw: the read/write language of paper 001 §4 as a tiny text format, for teaching and tests.
//
//   # two processes add 1 to x
//   init x = 0
//   p: $a = x; x = $a + 1
//   q: $b = x; x = $b + 1
//   finally: assert x == 2
//
// A line is a process; its statements are separated by ';'. Names are shared variables, names with $ belong to the
// process. Each statement reads or writes at most one shared variable, and that is its event.
//   $a = x            reads                    x = $a + 1   x = 5 - $a   x = $a      writes
//   read x            reads, and forgets       lock m       unlock m
//   $a = $b + 1       no event                 assert $a == 1
//   if $a == 1 then STATEMENT
// `finally` is a process that begins when all others have ended; its asserts may name shared variables, which it reads.
// The result of a run is what all names hold.
#include <plait_runtime.h>

#include <cctype>
#include <fstream>
#include <sstream>

namespace {

using Values = std::map<std::string, long>;

struct Operand {
  bool is_number = true;
  long number = 0;
  std::string name;
};

/// left + sign * right
struct Expression {
  Operand left, right;
  int sign = 0;
};

struct Statement {
  enum Kind { Read, Write, Local, Lock, Unlock, Assert } kind = Read;
  std::string target;  // register, variable or lock
  std::string source;  // Read: the variable
  Expression value;
  bool has_condition = false;  // of an `if`; of Assert: what must hold
  Operand left, right;
  std::string comparison, text;
  int line = 0;
};

struct Process {
  std::string name;
  std::vector<Statement> statements;
};

class Parser {
 public:
  Parser(const std::string& line, int number) : number_(number) {
    std::string word;
    for (size_t i = 0; i < line.size();) {
      const char c = line[i];
      if (c == '#') break;
      if (std::isspace(static_cast<unsigned char>(c))) {
        ++i;
      } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$') {
        size_t end = i + 1;
        while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
        words_.push_back(line.substr(i, end - i));
        i = end;
      } else {
        const bool two = i + 1 < line.size() && line[i + 1] == '=' && std::string("=!<>").find(c) != std::string::npos;
        words_.push_back(line.substr(i, two ? 2 : 1));
        i += two ? 2 : 1;
      }
    }
  }

  bool done() const { return at_ == words_.size(); }
  std::string peek(size_t ahead = 0) const { return at_ + ahead < words_.size() ? words_[at_ + ahead] : ""; }
  std::string take() {
    if (done()) wrong("something is missing at the end");
    return words_[at_++];
  }
  bool take_if(const std::string& word) {
    if (peek() != word) return false;
    ++at_;
    return true;
  }
  void need(const std::string& word) {
    if (!take_if(word)) wrong("'" + word + "' is needed, not '" + peek() + "'");
  }
  [[noreturn]] void wrong(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(number_) + ": " + what);
  }

  std::string name() {
    std::string word = take();
    if (!std::isalpha(static_cast<unsigned char>(word[0])) && word[0] != '$' && word[0] != '_')
      wrong("'" + word + "' is no name");
    return word;
  }

  Operand operand() {
    Operand result;
    const bool negative = take_if("-");
    if (std::isdigit(static_cast<unsigned char>(peek().c_str()[0]))) {
      result.number = std::stol(take()) * (negative ? -1 : 1);
    } else {
      result.is_number = false;
      result.name = name();
    }
    return result;
  }

  void condition(Statement& statement) {
    statement.has_condition = true;
    statement.left = operand();
    statement.comparison = take();
    const std::string& c = statement.comparison;
    if (c != "==" && c != "!=" && c != "<" && c != ">" && c != "<=" && c != ">=") wrong("'" + c + "' compares nothing");
    statement.right = operand();
  }

  Statement statement() {
    Statement result;
    const size_t begin = at_;
    if (take_if("if")) {
      Statement test;
      condition(test);
      need("then");
      if (peek() == "if" || peek() == "assert") wrong("only reads, writes and locks follow a 'then'");
      result = statement();
      result.has_condition = true;
      result.left = test.left, result.right = test.right, result.comparison = test.comparison;
    } else if (take_if("assert")) {
      result.kind = Statement::Assert;
      condition(result);
    } else if (take_if("read")) {
      result.source = name();
    } else if (peek() == "lock" || peek() == "unlock") {
      result.kind = take() == "lock" ? Statement::Lock : Statement::Unlock;
      result.target = name();
    } else {
      assignment(result);
    }
    result.line = number_;
    for (size_t i = begin; i < at_; ++i) result.text += (i == begin ? "" : " ") + words_[i];
    return result;
  }

 private:
  void assignment(Statement& result) {
    result.target = name();
    need("=");
    const bool to_register = result.target[0] == '$';
    result.value.left = operand();
    if (peek() == "+" || peek() == "-") {
      result.value.sign = take() == "+" ? 1 : -1;
      result.value.right = operand();
    }
    const auto is_shared = [](const Operand& one) { return !one.is_number && one.name[0] != '$'; };
    const bool shared = is_shared(result.value.left) || is_shared(result.value.right);
    if (!to_register && shared) wrong("a statement reads or writes one shared variable: use a register ($a)");
    if (to_register && shared && result.value.sign) wrong("a read has no arithmetic: read first, then compute");
    result.kind = !to_register ? Statement::Write : shared ? Statement::Read : Statement::Local;
    if (result.kind == Statement::Read) result.source = result.value.left.name;
  }

  std::vector<std::string> words_;
  size_t at_ = 0;
  int number_;
};

struct Program {
  std::string file;
  Values initial;
  std::vector<Process> processes;
  bool has_finally = false;  // the last one

  explicit Program(const std::string& path) : file(path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("it cannot be read");
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) read(line, number);
  }

 private:
  void read(const std::string& line, int number) {
    Parser parser(line, number);
    if (parser.done()) return;
    if (parser.take_if("init")) {
      const std::string name = parser.name();
      parser.need("=");
      initial[name] = parser.operand().number;
      return;
    }
    Process process;
    process.name = parser.name();
    parser.need(":");
    do {
      if (!parser.done()) process.statements.push_back(parser.statement());
    } while (parser.take_if(";"));
    if (!parser.done()) parser.wrong("'" + parser.peek() + "' is not understood");
    if (has_finally) parser.wrong("nothing follows 'finally'");
    has_finally = process.name == "finally";
    if (has_finally) add_reads(process);
    processes.push_back(process);
  }

  /// Shared variables in asserts are read first.
  static void add_reads(Process& process) {
    std::vector<Statement> all;
    for (Statement statement : process.statements) {
      for (Operand* operand : {&statement.left, &statement.right}) {
        if (statement.kind != Statement::Assert || operand->is_number || operand->name[0] == '$') continue;
        Statement read;
        read.source = operand->name;
        read.target = operand->name = "$" + operand->name;
        read.text = "read " + read.source;
        read.line = statement.line;
        all.push_back(read);
      }
      all.push_back(statement);
    }
    process.statements = all;
  }
};

class Interpreter : public plait::runtime::System {
 public:
  explicit Interpreter(const Program& program) : program_(program) {}

  void reset() override {
    shared_ = program_.initial;
    holders_.clear();
    actors_.assign(program_.processes.size(), {});
    for (size_t i = 0; i < actors_.size(); ++i) run_locally(i);
  }

  void enabled(Events& events) override { offer(events, true); }
  void waiting(Events& events) override { offer(events, false); }

  void perform(Event& event) override {
    const size_t i = event.tag();
    const Statement& statement = next(i);
    switch (statement.kind) {
      case Statement::Read:
        event.value(shared_[statement.source]);
        if (!statement.target.empty()) actors_[i].registers[statement.target] = shared_[statement.source];
        break;
      case Statement::Write: {
        const long value = evaluate(statement.value, actors_[i].registers);
        event.value(shared_[statement.target] = value);
        break;
      }
      case Statement::Lock: holders_[statement.target] = i; break;
      case Statement::Unlock:
        if (!holders_.count(statement.target) || holders_[statement.target] != i)
          fail("unlocks '" + statement.target + "', which it does not hold", event.actor(), "lock-misuse",
               program_.file, statement.line);
        holders_.erase(statement.target);
        break;
      default: break;
    }
    ++actors_[i].next;
    run_locally(i);
  }

  std::string result() override {
    std::string text;
    for (const auto& [name, value] : shared_) text += name + "=" + std::to_string(value) + " ";
    for (size_t i = 0; i < program_.processes.size() - program_.has_finally; ++i)
      for (const auto& [name, value] : actors_[i].registers)
        text += program_.processes[i].name + "." + name + "=" + std::to_string(value) + " ";
    if (!text.empty()) text.pop_back();
    return text;
  }

 private:
  struct Actor {
    size_t next = 0;
    Values registers;
  };

  bool has_ended(size_t i) const { return actors_[i].next == program_.processes[i].statements.size(); }
  bool all_others_have_ended() const {
    for (size_t i = 0; i + 1 < actors_.size(); ++i)
      if (!has_ended(i)) return false;
    return true;
  }
  const Statement& next(size_t i) const { return program_.processes[i].statements[actors_[i].next]; }

  static long evaluate(const Operand& operand, const Values& values) {
    if (operand.is_number) return operand.number;
    const auto found = values.find(operand.name);
    return found == values.end() ? 0 : found->second;
  }
  static long evaluate(const Expression& expression, const Values& values) {
    const long left = evaluate(expression.left, values);
    return expression.sign ? left + expression.sign * evaluate(expression.right, values) : left;
  }
  static bool holds(const Statement& statement, const Values& values) {
    const long a = evaluate(statement.left, values), b = evaluate(statement.right, values);
    const std::string& c = statement.comparison;
    return c == "==" ? a == b : c == "!=" ? a != b : c == "<" ? a < b : c == ">" ? a > b : c == "<=" ? a <= b : a >= b;
  }

  void check(const Statement& statement, const Values& values, const std::string& who) {
    if (statement.kind == Statement::Assert && !holds(statement, values))
      fail(statement.text.substr(7), who, "assertion", program_.file, statement.line);
  }

  /// What nobody else can notice.
  void run_locally(size_t i) {
    Actor& actor = actors_[i];
    for (; actor.next < program_.processes[i].statements.size(); ++actor.next) {
      const Statement& statement = next(i);
      check(statement, actor.registers, program_.processes[i].name);
      if (statement.kind == Statement::Assert) continue;
      if (statement.has_condition && !holds(statement, actor.registers)) continue;
      if (statement.kind != Statement::Local) return;
      actor.registers[statement.target] = evaluate(statement.value, actor.registers);
    }
  }

  void offer(Events& events, bool possible) {
    for (size_t i = 0; i < actors_.size(); ++i) {
      if (has_ended(i)) continue;
      if (program_.has_finally && i + 1 == actors_.size() && !all_others_have_ended()) continue;
      const Statement& statement = next(i);
      const bool waits = statement.kind == Statement::Lock && holders_.count(statement.target);
      if (waits == possible) continue;
      static const char* const kinds[] = {"read", "write", "", "lock", "unlock", ""};
      events.add(program_.processes[i].name, kinds[statement.kind])
          .object(statement.kind == Statement::Read ? statement.source : statement.target)
          .label(statement.text)
          .place(program_.file, statement.line)
          .tag(i);
    }
  }

  const Program& program_;
  Values shared_;
  std::map<std::string, size_t> holders_;
  std::vector<Actor> actors_;
};

plait::runtime::Hello hello(const Program& program, const std::string& interference) {
  plait::runtime::Hello hello;
  hello.name = "rw";
  const std::string locks = R"({"and":["same-object",{"both":{"kind":"lock"}}]})";
  const std::string accesses = R"({"and":["same-object-write",{"both":{"kind":["read","write"]}}]})";
  const std::string interferes = interference == "full"   ? R"("always")"
                                 : interference == "none" ? R"("never")"
                                                          : R"({"or":[)" + accesses + "," + locks + "]}";
  hello.relations = R"({"must":{"or":["same-actor",{"second":{"actor":"finally"}}]},"interferes":)" + interferes +
                    R"(,"enables":{"and":["same-object",{"first":{"kind":"unlock"},"second":{"kind":"lock"}}]}})";
  hello.operations = R"({"read":{"op":"load"},"write":{"op":"store"},"lock":{"op":"lock"},"unlock":{"op":"unlock"}})";
  if (program.has_finally) hello.main = "finally";
  for (const auto& [name, value] : program.initial)
    hello.initial += (hello.initial.empty() ? "{\"" : ",\"") + name + "\":" + std::to_string(value);
  if (!hello.initial.empty()) hello.initial += "}";
  return hello;
}

}  // namespace

int main(int count, char** words) {
  std::string interference = "conflicts", file;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--full" || word == "--none")
      interference = word.substr(2);
    else
      file = word;
  }
  if (file.empty()) {
    std::fprintf(stderr, "usage: plait explore --runtime rw [--full|--none] FILE\n");
    return 2;
  }
  try {
    const Program program(file);
    Interpreter interpreter(program);
    return plait::runtime::serve(interpreter, hello(program, interference));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rw: %s: %s\n", file.c_str(), error.what());
    return 2;
  }
}
