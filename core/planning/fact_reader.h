// Reads the plain atoms of an initial state from PDDL text; in large problems they are nearly all of the text. Anything
// else (a value, a negation, a mistake) is left to the reader in Python, which knows all of PDDL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace liftq {

using Span = std::pair<size_t, size_t>;  // offsets: first, and after the last

// The content of the section with this keyword. None if the text has characters other than printable ASCII and blanks,
// or if a parenthesis seems to be missing.
std::optional<Span> find_section(std::string_view text, std::string_view keyword);

struct Facts {
  std::vector<std::vector<int>> rows;  // by predicate: object numbers, each atom once
  std::vector<int> predicate_of;       // by atom, in the order of the text
  std::vector<Span> others;            // everything that is not a plain atom
};

class FactReader {
 public:
  explicit FactReader(const std::vector<std::string>& objects);

  // `admitted`: by argument, whether each object fits.
  void add_predicate(const std::string& name, std::vector<std::vector<uint8_t>> admitted);
  Facts read(std::string_view text, Span span) const;

 private:
  class Names {
   public:
    void add(const std::string& name);
    int find(std::string_view word) const;  // in any case; -1 if it is unknown

   private:
    void place(int number);

    std::vector<std::string> names_;
    std::vector<int> slots_;  // open addressing
  };

  size_t read_atom(std::string_view text, size_t at, size_t end, int& predicate, std::vector<int>& row) const;

  Names objects_, predicates_;
  std::vector<std::vector<std::vector<uint8_t>>> admitted_;  // by predicate and argument
};

}  // namespace liftq
