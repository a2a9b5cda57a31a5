// Watches for Python: limits on whatever a thread does, in the core and outside.
//
// The core asks the watches of its thread by itself. Code in Python does not: for that, a thread of Python calls
// `raise_overdue` every so often, which raises Stopped in threads that are over their limits.
#include "basics/watch.h"

#include <nanobind/eval.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "basics/status.h"
#include "bindings/bindings.h"
#include "search/ending.h"

namespace liftq {

using namespace nb::literals;

namespace {

PyObject* stopped_type = nullptr;

// Lets this thread raise what was asked for, so that it is over. Asking for nothing instead would take it back, but
// then Python 3.11 looks for it before every instruction from then on, and never gets past the first one of a function
// that is traced.
void take_what_is_raised() {
  try {
    nb::eval("None", nb::dict());
  } catch (nb::python_error& error) {
    if (error.matches(stopped_type)) return;
    take_what_is_raised();  // a signal came first
    throw;
  }
}

// A limit may strike while Ctrl-C is dealt with: Ctrl-C goes on, lest whoever asked for the limit swallow both.
void let_interrupts_win(nb::handle error) {
  if (!nb::isinstance(error, stopped_type)) return;
  for (nb::object each = nb::borrow(error); !each.is_none(); each = each.attr("__context__")) {
    if (!nb::isinstance(each, PyExc_KeyboardInterrupt)) continue;
    PyErr_SetObject(PyExc_KeyboardInterrupt, each.ptr());
    throw nb::python_error();
  }
}

class PythonWatch {
 public:
  PythonWatch(std::optional<double> seconds, std::optional<double> memory_bytes)
      : watch_({seconds.value_or(Watch::Limits().seconds), memory_bytes.value_or(Watch::Limits().bytes)}) {
    all.push_back(this);
  }
  ~PythonWatch() { std::erase(all, this); }

  void enter() {
    thread_ = PyThread_get_thread_ident();
    watch_.start();
  }

  // As one call it is not interrupted by what `raise_overdue` has raised too late.
  void exit(nb::args exception) {
    watch_.end();
    std::erase(all, this);
    if (raised_) {
      take_what_is_raised();
      for (PythonWatch* other : all)
        if (other->thread_ == thread_) other->raised_ = false;  // once more, as it may have been taken now
    }
    if (exception.size() > 1) let_interrupts_win(exception[1]);
  }

  std::optional<std::string> ending() const {
    if (watch_.reason() == Stop::none) return {};
    return name_of(ending_of(watch_.reason()));
  }

  double seconds() const { return watch_.seconds(); }

  static size_t raise_overdue() {
    for (PythonWatch* each : all) {
      if (!each->thread_ || each->raised_ || !each->watch_.is_overdue()) continue;
      each->raised_ = true;
      PyThreadState_SetAsyncExc(each->thread_, stopped_type);
    }
    return all.size();
  }

 private:
  static inline std::vector<PythonWatch*> all;  // that have not exited yet; guarded by the interpreter's lock

  Watch watch_;
  unsigned long thread_ = 0;  // none before it is entered
  bool raised_ = false;
};

void look_at_signals_of_python() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// An impossible task is a mistake in the input, not a bug.
void translate_domain_errors(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const std::domain_error& domain_error) {
    PyErr_SetString(nb::module_::import_("liftq.errors").attr("InputError").ptr(), domain_error.what());
  }
}

class PythonStatus {
 public:
  void enter() { status = &status_; }
  void exit() { status = nullptr; }
  std::optional<float> best_value() const { return known(status_.best_value); }
  std::optional<float> best_h_ff() const { return known(status_.best_h_ff); }
  const Status& operator*() const { return status_; }

 private:
  static std::optional<float> known(float value) {
    return value == Status::kNone ? std::nullopt : std::optional(value);
  }

  Status status_;
};

int64_t bytes_left() {
  int64_t left = INT64_MAX;
  for (Watch* watch = Watch::innermost(); watch; watch = watch->outer()) left = std::min(left, watch->bytes_left());
  return left;
}

}  // namespace

void bind_watch(nb::module_& module) {
  stopped_type = nb::exception<Stopped>(module, "Stopped", PyExc_BaseException).ptr();
  nb::class_<PythonWatch>(module, "Watch", "Limits on what the thread does within a `with` statement.")
      .def(nb::init<std::optional<double>, std::optional<double>>(), "seconds"_a.none(), "memory_bytes"_a.none())
      .def(
          "__enter__",
          [](PythonWatch& self) -> PythonWatch& {
            self.enter();
            return self;
          },
          nb::rv_policy::reference)
      .def("__exit__", &PythonWatch::exit, nb::sig("def __exit__(self, *exception: object) -> None"))
      .def_prop_ro("ending", &PythonWatch::ending, "Of whatever was stopped; none if nothing was.")
      .def_prop_ro("seconds", &PythonWatch::seconds, "Since it was entered.");
  nb::class_<PythonStatus>(module, "Status", "How far searches of the thread come within a `with` statement.")
      .def(nb::init())
      .def(
          "__enter__",
          [](PythonStatus& self) -> PythonStatus& {
            self.enter();
            return self;
          },
          nb::rv_policy::reference)
      .def(
          "__exit__", [](PythonStatus& self, nb::args) { self.exit(); },
          nb::sig("def __exit__(self, *exception: object) -> None"))
      .def_prop_ro("steps", [](const PythonStatus& self) { return (*self).steps.load(); })
      .def_prop_ro("passes", [](const PythonStatus& self) { return (*self).passes.load(); })
      .def_prop_ro("best_value", &PythonStatus::best_value)
      .def_prop_ro("states", [](const PythonStatus& self) { return (*self).states.load(); })
      .def_prop_ro("best_h_ff", &PythonStatus::best_h_ff);
  module.def("raise_overdue", &PythonWatch::raise_overdue, "Number of watches that are not left yet.");
  module.def("resident_bytes", &resident_bytes, "Of this process.");
  module.def("bytes_left", &bytes_left, "That this thread may still take.");
  nb::register_exception_translator(&translate_domain_errors);
  look_at_signals = &look_at_signals_of_python;
}

}  // namespace liftq
