#include "networks/graph.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "basics/watch.h"

namespace liftq {

namespace {

// The size of the orbit if these arguments are its representative (each class's members in order of first use), else 0.
double representative_size(const Twins& twins, const int* arguments, int arity) {
  double size = 1;
  for (int i = 0; i < arity; ++i) {
    const int name = twins.class_of[arguments[i]];
    if (twins.size[name] == 1 || std::find(arguments, arguments + i, arguments[i]) != arguments + i) continue;
    int used = 0;
    for (int j = 0; j < i; ++j)
      used +=
          twins.class_of[arguments[j]] == name && std::find(arguments, arguments + j, arguments[j]) == arguments + j;
    if (twins.rank[arguments[i]] != used) return 0;
    size *= twins.size[name] - used;
  }
  return size;
}

const Registry<Form> relational("relational", {[](const std::vector<int>& rows) { return rows; }, nullptr});

}  // namespace

void Graph::clear() {
  for (Rows& rows : relations) {
    rows.nodes.clear();
    rows.counts.clear();
    rows.first.assign(1, 0);
  }
  multiplicity.clear();
  candidate_node.clear();
  first_node.assign(1, 0);
  first_candidate.assign(1, 0);
}

void Graph::end_choice(const std::vector<int>& arity) {
  for (size_t relation = 0; relation < relations.size(); ++relation) {
    Rows& rows = relations[relation];
    rows.first.push_back(static_cast<int64_t>(rows.nodes.size()) / arity[relation]);
  }
  first_node.push_back(static_cast<int64_t>(multiplicity.size()));
  first_candidate.push_back(static_cast<int64_t>(candidate_node.size()));
}

void Graph::append(const Graph& other) {
  const int before = static_cast<int>(multiplicity.size());
  const auto add_nodes = [&](const std::vector<int>& from, std::vector<int>& to) {
    std::transform(from.begin(), from.end(), std::back_inserter(to), [&](int node) { return before + node; });
  };
  const auto add_offsets = [](const std::vector<int64_t>& from, std::vector<int64_t>& to) {
    const int64_t end = to.back();
    std::transform(from.begin() + 1, from.end(), std::back_inserter(to), [&](int64_t first) { return end + first; });
  };
  for (size_t relation = 0; relation < relations.size(); ++relation) {
    const Rows& rows = other.relations[relation];
    add_nodes(rows.nodes, relations[relation].nodes);
    relations[relation].counts.insert(relations[relation].counts.end(), rows.counts.begin(), rows.counts.end());
    add_offsets(rows.first, relations[relation].first);
  }
  multiplicity.insert(multiplicity.end(), other.multiplicity.begin(), other.multiplicity.end());
  add_nodes(other.candidate_node, candidate_node);
  add_offsets(other.first_node, first_node);
  add_offsets(other.first_candidate, first_candidate);
}

int append_nodes(const Graph& rows, Graph& graph) {
  const int first = static_cast<int>(graph.multiplicity.size());
  graph.multiplicity.insert(graph.multiplicity.end(), rows.multiplicity.begin(), rows.multiplicity.end());
  for (int node : rows.candidate_node) graph.candidate_node.push_back(first + node);
  return first;
}

void GraphBuilder::append(Engine& engine, StateId state, const Twins& twins, const Orbits* orbits, Graph& graph,
                          bool knows_relaxed) {
  if (!form_.append) {
    add_rows(engine, state, twins, orbits, graph, knows_relaxed);
  } else {
    rows_.clear();
    add_rows(engine, state, twins, orbits, rows_, knows_relaxed);
    form_.append(rows_, encoding_.arity, graph);
  }
  graph.end_choice(arity_);
}

void GraphBuilder::add_rows(Engine& engine, StateId state, const Twins& twins, const Orbits* orbits, Graph& graph,
                            bool knows_relaxed) {
  const Task& task = engine.task();
  const AtomTable& table = engine.atoms();
  add_nodes(twins, graph);
  const auto add_atoms = [&](const std::vector<AtomId>& atoms) {
    for (AtomId atom : atoms) {
      const int predicate = table.predicate(atom);
      add_atom(encoding_.atom[predicate], twins, table.arguments(atom), encoding_.predicate_order[predicate], graph);
    }
  };
  add_atoms(engine.atoms_of(state));
  add_atoms(engine.derived_atoms_of(state));
  for (size_t p = 0; p < task.predicates.size(); ++p) {
    const Relation& rows = task.predicates[p].rows;
    for (uint32_t row = 0; row < rows.size(); ++row)
      add_atom(encoding_.atom[p], twins, rows.row(row), encoding_.predicate_order[p], graph);
  }
  const auto add_goals = [&](const std::vector<GroundAtom>& goals, const auto& when_true, const auto& when_false) {
    for (const GroundAtom& goal : goals) {
      const auto& relation = engine.holds(state, goal) ? when_true : when_false;
      const auto& order = encoding_.predicate_order[goal.predicate];
      add_atom(relation[goal.predicate], twins, goal.arguments.data(), order, graph);
    }
  };
  add_goals(task.goal_positive, encoding_.goal_true, encoding_.goal_false);
  add_goals(task.goal_negative, encoding_.forbidden_true, encoding_.forbidden_false);
  add_goals(task.mentioned_positive, encoding_.goal_true, encoding_.goal_false);
  add_goals(task.mentioned_negative, encoding_.forbidden_true, encoding_.forbidden_false);
  add_goals(encoding_.presumed, encoding_.goal_true, encoding_.goal_false);
  if (encoding_.has_relaxed()) add_relaxed(state, twins, graph, knows_relaxed);
  if (orbits) add_actions(twins, *orbits, graph);
  if (orbits && encoding_.has_relaxed() && knows_relaxed) mark_helpful(*orbits, graph);
}

void GraphBuilder::add_nodes(const Twins& twins, Graph& graph) {
  node_of_.resize(twins.class_of.size());
  for (size_t object = 0; object < node_of_.size(); ++object) {
    const int name = twins.class_of[object];
    if (static_cast<size_t>(name) != object) {
      node_of_[object] = node_of_[name];  // a class is named after its smallest member, so that node exists
      continue;
    }
    const int node = node_of_[object] = static_cast<int>(graph.multiplicity.size());
    graph.multiplicity.push_back(static_cast<float>(twins.size[name]));
    for (int relation : encoding_.types[object]) {
      graph.relations[relation].nodes.push_back(node);
      graph.relations[relation].counts.push_back(1);
    }
  }
}

void GraphBuilder::add_atom(int relation, const Twins& twins, const int* arguments, const std::vector<int>& order,
                            Graph& graph) {
  if (relation < 0) return;
  poll();
  Graph::Rows& rows = graph.relations[relation];
  if (order.empty()) {
    for (int node = static_cast<int>(graph.first_node.back()); node < static_cast<int>(graph.multiplicity.size());
         ++node) {
      rows.nodes.push_back(node);
      rows.counts.push_back(1);
    }
    return;
  }
  ordered_.clear();
  for (int position : order) ordered_.push_back(arguments[position]);
  const double size = representative_size(twins, ordered_.data(), static_cast<int>(ordered_.size()));
  if (size == 0) return;
  for (int object : ordered_) {
    rows.nodes.push_back(node_of_[object]);
    rows.counts.push_back(static_cast<float>(size / twins.size[twins.class_of[object]]));
  }
}

void GraphBuilder::add_actions(const Twins& twins, const Orbits& orbits, Graph& graph) {
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    poll();
    const int node = static_cast<int>(graph.multiplicity.size());
    graph.multiplicity.push_back(0);
    graph.candidate_node.push_back(node);
    Graph::Rows& rows = graph.relations[encoding_.action[orbits.schema_of[orbit]]];
    rows.nodes.push_back(node);
    rows.counts.push_back(1);
    const int* arguments = orbits.arguments_of(orbit);
    for (int position : encoding_.schema_order[orbits.schema_of[orbit]]) {
      rows.nodes.push_back(node_of_[arguments[position]]);
      const int class_size = twins.size[twins.class_of[arguments[position]]];
      rows.counts.push_back(static_cast<float>(static_cast<double>(orbits.sizes[orbit]) / class_size));
    }
  }
}

// Twins are alike in relaxed plans, too: of an orbit of actions, all are in them or none.
void GraphBuilder::add_relaxed(StateId state, const Twins& twins, Graph& graph, bool knows_relaxed) {
  using enum Heuristics::Verdict;
  const Heuristics::Verdict verdict = knows_relaxed ? heuristics_->find_relaxed_plans(state) : is_too_large;
  is_dead_end_ = verdict == is_dead_end;
  if (is_dead_end_) add_atom(encoding_.dead_end, twins, nullptr, {}, graph);
  if (verdict == is_too_large) add_atom(encoding_.too_large, twins, nullptr, {}, graph);
  if (verdict != has_relaxed_plans) return;
  const Actions& actions = heuristics_->relaxation().actions;
  for (int action : heuristics_->relaxed_actions()) {
    const int schema = actions.schema_of[action];
    add_atom(encoding_.relaxed[schema], twins, actions.arguments_of(action), encoding_.schema_order[schema], graph);
  }
}

// Both are in the order of schemas and arguments, and a candidate is the first of its orbit.
void GraphBuilder::mark_helpful(const Orbits& orbits, Graph& graph) {
  if (encoding_.helpful < 0) return;
  std::span<const int> relaxed = heuristics_->relaxed_actions();
  const Actions& actions = heuristics_->relaxation().actions;
  const size_t first = graph.candidate_node.size() - orbits.count();
  Graph::Rows& rows = graph.relations[encoding_.helpful];
  for (size_t orbit = 0; orbit < orbits.count() && !relaxed.empty(); ++orbit) {
    poll();
    while (!relaxed.empty() && actions.is_before(relaxed.front(), orbits, orbit)) relaxed = relaxed.subspan(1);
    if (relaxed.empty() || orbits.is_before(orbit, actions, relaxed.front())) continue;
    rows.nodes.push_back(graph.candidate_node[first + orbit]);
    rows.counts.push_back(1);
  }
}

}  // namespace liftq
