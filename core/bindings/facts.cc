// Reading facts from PDDL text, for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include "bindings/bindings.h"
#include "planning/fact_reader.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

using Types = std::vector<std::vector<int>>;
using Predicates = std::vector<std::pair<std::string, std::vector<int>>>;  // name, and types of the arguments

FactReader reader(const std::vector<std::string>& objects, const Types& types, const Predicates& predicates) {
  std::vector<std::vector<uint8_t>> admitted;
  for (const std::vector<int>& type : types) {
    admitted.emplace_back(objects.size(), 0);
    for (int object : type) admitted.back()[checked(object, objects.size(), "no such object")] = 1;
  }
  FactReader result(objects);
  for (const auto& [name, arguments] : predicates) {
    std::vector<std::vector<uint8_t>> fitting;
    for (int type : arguments) fitting.push_back(admitted[checked(type, admitted.size(), "no such type")]);
    result.add_predicate(name, std::move(fitting));
  }
  return result;
}

nb::tuple read_facts(std::string_view text, Span span, const std::vector<std::string>& objects, const Types& types,
                     const Predicates& predicates) {
  require(span.first <= span.second && span.second <= text.size(), "no such part of the text");
  Facts facts;
  {
    const Metered metered;
    const nb::gil_scoped_release release;
    facts = reader(objects, types, predicates).read(text, span);
  }
  std::vector<size_t> count(predicates.size(), 0);
  for (int predicate : facts.predicate_of) ++count[predicate];
  nb::list rows;
  for (size_t predicate = 0; predicate < predicates.size(); ++predicate)
    rows.append(to_numpy(std::move(facts.rows[predicate]), {count[predicate], predicates[predicate].second.size()}));
  return nb::make_tuple(rows, to_numpy(std::move(facts.predicate_of)), facts.others);
}

}  // namespace

void bind_facts(nb::module_& module) {
  module.def(
      "find_section",
      [](std::string_view text, std::string_view keyword) {
        const Metered metered;
        const nb::gil_scoped_release release;
        return find_section(text, keyword);
      },
      "text"_a, "keyword"_a,
      "What a section holds: first offset, and the one after the last. None if the text is not well-formed.");
  module.def("read_facts", read_facts, "text"_a, "span"_a, "objects"_a, "types"_a, "predicates"_a,
             nb::sig("def read_facts(text: str, span: tuple[int, int], objects: Sequence[str], types: "
                     "Sequence[Sequence[int]], predicates: Sequence[tuple[str, Sequence[int]]]) -> "
                     "tuple[list[NDArray[numpy.int32]], NDArray[numpy.int32], list[tuple[int, int]]]"),
             "Rows of objects by predicate, the predicate of each atom in order, and spans of what is no atom.");
}

}  // namespace liftq
