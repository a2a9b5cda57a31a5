// The core as a Python module. Bindings translate, and check what comes in, so that the core may trust its numbers.
#include "bindings/bindings.h"

NB_MODULE(_core, module) {
  using namespace liftq;
  module.doc() = "The C++ core as Python sees it (core/bindings).";
  bind_watch(module);
  bind_engine(module);
  bind_task(module);
  bind_heuristics(module);
  bind_graph(module);
  bind_policy(module);
  bind_search(module);
  bind_plays(module);
  bind_facts(module);
}
