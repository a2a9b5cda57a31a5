// Plays side by side for Python, which values their states.
#include "search/plays.h"

#include <nanobind/stl/optional.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/bindings.h"

namespace liftq {

using namespace nb::literals;

namespace {

using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class PythonPlays {
 public:
  PythonPlays(std::vector<int> arity, bool with_actions) : plays_(std::in_place, std::move(arity), with_actions) {}

  size_t start(nb::handle_t<Engine> engine, const GraphBuilder& builder, const Acting& acting,
               std::optional<uint64_t> steps) {
    Engine& used = nb::cast<Engine&>(engine);
    if (used.in_use.test_and_set(std::memory_order_acquire))
      throw std::runtime_error("another thread is using this task: give each play a task of its own");
    try {
      const size_t number = open().start(used, builder, steps.value_or(SIZE_MAX), acting);
      engines_.emplace(number, nb::borrow(engine));
      return number;
    } catch (...) {
      used.in_use.clear(std::memory_order_release);
      throw;
    }
  }

  const Graph* take(size_t most_nodes) {
    Plays& plays = open();
    const nb::gil_scoped_release free;
    return plays.take(most_nodes);
  }

  void give(const Values& values) {
    require(values.shape(0) == open().values_wanted(), "another number of values than there are candidates");
    open().give(values.data());
  }

  std::optional<std::pair<size_t, Solution>> ended() {
    std::optional<Plays::Ended> ended = open().ended();
    if (!ended) return {};
    const auto engine = engines_.extract(ended->number);
    nb::cast<Engine&>(engine.mapped()).in_use.clear(std::memory_order_release);
    if (ended->error) std::rethrow_exception(ended->error);
    return std::pair(ended->number, std::move(ended->solution));
  }

  void close() {
    {
      const nb::gil_scoped_release free;
      plays_.reset();
    }
    for (const auto& [number, engine] : engines_) nb::cast<Engine&>(engine).in_use.clear(std::memory_order_release);
    engines_.clear();
  }

 private:
  Plays& open() {
    require(plays_.has_value(), "these plays are closed");
    return *plays_;
  }

  std::map<size_t, nb::object> engines_;  // by play: kept until it has ended
  std::optional<Plays> plays_;            // destroyed first
};

}  // namespace

void bind_plays(nb::module_& module) {
  nb::class_<PythonPlays>(module, "Plays", "Plays of a policy side by side, whose states are valued together.")
      .def(nb::init<std::vector<int>, bool>(), "arity"_a, "with_actions"_a)
      .def("start", &PythonPlays::start, "engine"_a, "builder"_a, "acting"_a, "steps"_a = nb::none(),
           "The number of a new play.")
      .def("take", &PythonPlays::take, "most_nodes"_a, nb::rv_policy::reference_internal,
           "The graphs of plays that wait for values, united; none if one has ended, or none is left.")
      .def("give", &PythonPlays::give, "values"_a, "Of what was taken.")
      .def("ended", &PythonPlays::ended, "One that has ended, by number.")
      .def("close", &PythonPlays::close, "Stops the plays that go on.");
}

}  // namespace liftq
