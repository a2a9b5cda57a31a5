#include "search/partial_order.h"

#include <cstdint>
#include <unordered_map>

#include "basics/watch.h"
#include "planning/ground_action.h"

namespace liftq {

namespace {

struct Uses {  // of an atom
  size_t writer = SIZE_MAX;
  std::vector<size_t> readers;  // since then
};

}  // namespace

PartialOrder::PartialOrder(Engine& engine, const std::vector<Step>& plan) : before_(plan.size()), after_(plan.size()) {
  std::unordered_map<AtomId, Uses> uses_of;
  const auto add = [&](size_t first, size_t second) {
    if (first == SIZE_MAX || first == second) return;
    after_[first].push_back(second);
    before_[second].push_back(first);
  };
  GroundAction action;
  for (size_t step = 0; step < plan.size(); ++step) {
    poll(10);
    ground(engine, plan[step].schema, plan[step].arguments.data(), action);
    for (const auto* atoms : {&action.needs, &action.forbids})
      for (AtomId atom : *atoms) {
        Uses& uses = uses_of[atom];
        add(uses.writer, step);
        uses.readers.push_back(step);
      }
    for (const auto* atoms : {&action.adds, &action.deletes})
      for (AtomId atom : *atoms) {
        Uses& uses = uses_of[atom];
        add(uses.writer, step);
        for (size_t reader : uses.readers) add(reader, step);
        uses = {step, {}};
      }
  }
}

std::vector<size_t> PartialOrder::depth_first() const {
  std::vector<size_t> order, stack, waits_for(before_.size());
  for (size_t step = before_.size(); step-- > 0;) {
    waits_for[step] = before_[step].size();
    if (waits_for[step] == 0) stack.push_back(step);
  }
  while (!stack.empty()) {
    poll();
    const size_t step = stack.back();
    stack.pop_back();
    order.push_back(step);
    for (size_t i = after_[step].size(); i-- > 0;)
      if (--waits_for[after_[step][i]] == 0) stack.push_back(after_[step][i]);
  }
  return order;
}

PartialOrder::Window PartialOrder::around(const std::vector<size_t>& chosen) const {
  const std::vector<bool> is_before = reached(chosen, before_), is_after = reached(chosen, after_);
  std::vector<size_t> early, inside, late;
  for (size_t step = 0; step < before_.size(); ++step)
    (!is_after[step] ? early : is_before[step] ? inside : late).push_back(step);
  Window window{std::move(early), 0, 0};
  window.first = window.steps.size();
  window.steps.insert(window.steps.end(), inside.begin(), inside.end());
  window.last = window.steps.size();
  window.steps.insert(window.steps.end(), late.begin(), late.end());
  return window;
}

std::vector<bool> PartialOrder::reached(const std::vector<size_t>& steps,
                                        const std::vector<std::vector<size_t>>& next) const {
  std::vector<bool> result(next.size(), false);
  std::vector<size_t> stack = steps;
  while (!stack.empty()) {
    poll();
    const size_t step = stack.back();
    stack.pop_back();
    if (result[step]) continue;
    result[step] = true;
    stack.insert(stack.end(), next[step].begin(), next[step].end());
  }
  return result;
}

}  // namespace liftq
