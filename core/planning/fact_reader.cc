#include "planning/fact_reader.h"

#include <algorithm>
#include <array>

#include "basics/index_set.h"
#include "basics/watch.h"

namespace liftq {

namespace {

constexpr int kDeepest = 100;  // levels of parentheses; the other reader says what it thinks of more

enum Kind : uint8_t { unreadable, blank, opening, closing, letter };

constexpr std::array<Kind, 256> kinds() {
  std::array<Kind, 256> result{};
  for (int c = '\t'; c <= '\r'; ++c) result[c] = blank;
  for (int c = 0x20; c < 0x7f; ++c) result[c] = letter;
  result[' '] = blank;
  result['('] = opening;
  result[')'] = closing;
  return result;
}

constexpr std::array<Kind, 256> kKind = kinds();

Kind kind_of(char c) { return kKind[static_cast<uint8_t>(c)]; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool same(std::string_view word, std::string_view name) {  // which is in lower case
  return word.size() == name.size() &&
         std::equal(word.begin(), word.end(), name.begin(), [](char a, char b) { return lower(a) == b; });
}

uint64_t hash(std::string_view word) {
  uint64_t sum = 0xcbf29ce484222325ULL;
  for (char c : word) sum = (sum ^ static_cast<uint8_t>(lower(c))) * 0x100000001b3ULL;
  return sum ^ (sum >> 32);
}

uint64_t hash(const int* row, size_t arity) {
  uint64_t sum = 0;
  for (size_t i = 0; i < arity; ++i) sum = (sum + static_cast<uint64_t>(row[i]) + 1) * 0x9e3779b97f4a7c15ULL;
  return sum ^ (sum >> 32);
}

size_t skip_blanks(std::string_view text, size_t at, size_t end) {
  while (at < end && kind_of(text[at]) == blank) ++at;
  return at;
}

size_t word_end(std::string_view text, size_t at, size_t end) {
  while (at < end && kind_of(text[at]) == letter) ++at;
  return at;
}

// After the parenthesis that closes the one at this place, or after the word there.
size_t item_end(std::string_view text, size_t at, size_t end) {
  if (kind_of(text[at]) == letter) return word_end(text, at, end);
  for (int depth = 0; at < end; ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth <= 0) return at + 1;
  }
  return end;
}

// The rows of one predicate. As long as they come in ascending order, none can be there already.
class Rows {
 public:
  Rows(std::vector<int>& rows, size_t arity) : rows_(rows), arity_(arity) {}

  bool add(const std::vector<int>& row) {  // whether it is new
    if (count_ > 0 && ascending_ && !std::lexicographical_compare(at(count_ - 1), at(count_), row.begin(), row.end()))
      index();
    if (!ascending_) {
      const uint64_t key = hash(row.data(), arity_);
      const auto equal = [&](uint32_t other) { return std::equal(row.begin(), row.end(), at(other)); };
      if (known_.find(key, equal) != IndexSet::kNone) return false;
      rows_.insert(rows_.end(), row.begin(), row.end());
      insert(key, count_++);
      return true;
    }
    rows_.insert(rows_.end(), row.begin(), row.end());
    ++count_;
    return true;
  }

 private:
  const int* at(uint32_t row) const { return rows_.data() + row * arity_; }

  void index() {
    ascending_ = false;
    for (uint32_t row = 0; row < count_; ++row) insert(hash(at(row), arity_), row);
  }

  void insert(uint64_t key, uint32_t row) {
    poll();
    known_.insert(key, row, [&](uint32_t other) { return hash(at(other), arity_); });
  }

  std::vector<int>& rows_;
  size_t arity_;
  uint32_t count_ = 0;
  bool ascending_ = true;
  IndexSet known_;
};

}  // namespace

std::optional<Span> find_section(std::string_view text, std::string_view keyword) {
  std::optional<Span> found;
  int depth = 0, inside = 0;  // depth of the section
  for (size_t at = 0; at < text.size(); ++at) {
    const Kind kind = kind_of(text[at]);
    if (kind == unreadable) return std::nullopt;
    if (kind == closing) {
      if (depth-- == inside && inside > 0) found->second = at, inside = 0;
    } else if (kind == opening) {
      poll();
      if (++depth > kDeepest) return std::nullopt;
      const size_t word = skip_blanks(text, at + 1, text.size());
      if (inside > 0 && word < text.size() && text[word] == ':') return std::nullopt;
      const size_t end = word_end(text, word, text.size());
      if (depth == 2 && !found && same(text.substr(word, end - word), keyword)) found = {end, end}, inside = depth;
    }
  }
  return inside > 0 ? std::nullopt : found;
}

void FactReader::Names::add(const std::string& name) {
  names_.push_back(name);
  if (names_.size() * 2 > slots_.size()) {
    slots_.assign(std::max<size_t>(16, slots_.size() * 2), -1);
    for (size_t other = 0; other + 1 < names_.size(); ++other) place(static_cast<int>(other));
  }
  place(static_cast<int>(names_.size()) - 1);
}

void FactReader::Names::place(int number) {
  size_t slot = hash(names_[number]) & (slots_.size() - 1);
  while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = number;
}

int FactReader::Names::find(std::string_view word) const {
  if (slots_.empty()) return -1;
  for (size_t slot = hash(word) & (slots_.size() - 1); slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1))
    if (same(word, names_[slots_[slot]])) return slots_[slot];
  return -1;
}

FactReader::FactReader(const std::vector<std::string>& objects) {
  for (const std::string& object : objects) objects_.add(object);
}

void FactReader::add_predicate(const std::string& name, std::vector<std::vector<uint8_t>> admitted) {
  predicates_.add(name);
  admitted_.push_back(std::move(admitted));
}

// From its opening parenthesis. The place after it, or 0 if it is no plain atom.
size_t FactReader::read_atom(std::string_view text, size_t at, size_t end, int& predicate,
                             std::vector<int>& row) const {
  const auto next_word = [&] {
    at = skip_blanks(text, at, end);
    const size_t start = at;
    at = word_end(text, at, end);
    return text.substr(start, at - start);
  };
  if (text[at++] != '(' || (predicate = predicates_.find(next_word())) < 0) return 0;
  const auto& admitted = admitted_[predicate];
  row.clear();
  for (const auto& fitting : admitted) {
    const int object = objects_.find(next_word());
    if (object < 0 || !fitting[object]) return 0;
    row.push_back(object);
  }
  at = skip_blanks(text, at, end);
  return at < end && text[at] == ')' ? at + 1 : 0;
}

Facts FactReader::read(std::string_view text, Span span) const {
  Facts facts;
  facts.rows.resize(admitted_.size());
  std::vector<Rows> rows;
  for (size_t predicate = 0; predicate < admitted_.size(); ++predicate)
    rows.emplace_back(facts.rows[predicate], admitted_[predicate].size());
  std::vector<int> row;
  int predicate = 0;
  bool follows = false;  // whether what comes now follows something that is no plain atom
  for (size_t at = skip_blanks(text, span.first, span.second); at < span.second;) {
    poll();
    if (const size_t after = read_atom(text, at, span.second, predicate, row)) {
      if (rows[predicate].add(row)) facts.predicate_of.push_back(predicate);
      at = after;
      follows = false;
    } else {
      const size_t after_item = item_end(text, at, span.second);
      if (follows)
        facts.others.back().second = after_item;
      else
        facts.others.emplace_back(at, after_item);
      at = after_item;
      follows = true;
    }
    at = skip_blanks(text, at, span.second);
  }
  return facts;
}

}  // namespace liftq
