// Choices as relational graphs: nodes and, for each relation of an encoding, rows of nodes.
//
// A node stands for a class of twins or for an orbit of actions; a row stands for an orbit of atoms. Since twins have
// equal embeddings, a row's message to the node at position i arrives |orbit| / |class of i| times: that is its count.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "basics/registry.h"
#include "heuristics/heuristics.h"
#include "networks/encoding.h"
#include "planning/engine.h"

namespace liftq {

struct Graph {
  struct Rows {
    std::vector<int> nodes;         // [rows, arity]
    std::vector<float> counts;      // [rows, arity]
    std::vector<int64_t> first{0};  // by choice: its first row, with one past the end
  };
  explicit Graph(size_t num_relations) : relations(num_relations) {}
  void clear();                                    // keeps its memory
  void end_choice(const std::vector<int>& arity);  // what was added since the last end is one choice
  void append(const Graph& other);                 // its choices

  std::vector<Rows> relations;
  std::vector<float> multiplicity;          // by node: objects that it stands for; 0 for actions
  std::vector<int64_t> first_node{0};       // by choice, with one past the end
  std::vector<int> candidate_node;          // by candidate
  std::vector<int64_t> first_candidate{0};  // by choice, with one past the end
};

// How the rows of a choice are laid out for a network. Each form is one file, where it registers itself by name.
struct Form {
  static constexpr const char* kNoun = "form of graphs";
  std::vector<int> (*arity)(const std::vector<int>& rows);  // by relation of the graph, from those of the rows
  // Appends a graph of one choice to another; if there is none, rows stay as they are.
  void (*append)(const Graph& rows, const std::vector<int>& arity, Graph& graph);
};

// For forms: appends the nodes and candidates, and returns the number of the first node.
int append_nodes(const Graph& rows, Graph& graph);

// Appends choices to graphs. Candidates come in the order of Engine::orbits.
class GraphBuilder {
 public:
  // Where the encoding has relaxed actions, heuristics of the task are needed, in which each action costs one.
  GraphBuilder(Encoding encoding, const Form& form, std::shared_ptr<Heuristics> heuristics = nullptr)
      : encoding_(std::move(encoding)),
        form_(form),
        heuristics_(std::move(heuristics)),
        arity_(form.arity(encoding_.arity)),
        rows_(encoding_.arity.size()) {}

  const Encoding& encoding() const { return encoding_; }
  const std::vector<int>& arity() const { return arity_; }  // by relation of the graphs
  const std::shared_ptr<Heuristics>& heuristics() const { return heuristics_; }
  // Without `orbits` there are no actions in the graph: that is what a state-value needs. `knows_relaxed`: false as if
  // the task were too large for relaxed plans.
  void append(Engine& engine, StateId state, const Twins& twins, const Orbits* orbits, Graph& graph,
              bool knows_relaxed = true);
  bool is_dead_end() const { return is_dead_end_; }  // the last choice: there is no relaxed plan, as far as is known

 private:
  void add_rows(Engine& engine, StateId state, const Twins& twins, const Orbits* orbits, Graph& graph,
                bool knows_relaxed);
  void add_nodes(const Twins& twins, Graph& graph);
  void add_atom(int relation, const Twins& twins, const int* arguments, const std::vector<int>& order, Graph& graph);
  void add_actions(const Twins& twins, const Orbits& orbits, Graph& graph);
  void add_relaxed(StateId state, const Twins& twins, Graph& graph, bool knows_relaxed);
  void mark_helpful(const Orbits& orbits, Graph& graph);

  Encoding encoding_;
  Form form_;
  std::shared_ptr<Heuristics> heuristics_;
  std::vector<int> arity_;
  bool is_dead_end_ = false;
  Graph rows_;                // of one choice, before it is laid out
  std::vector<int> node_of_;  // by object: the node of its class
  std::vector<int> ordered_;  // arguments of one atom
};

}  // namespace liftq
