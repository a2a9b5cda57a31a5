// How a graph differs from the one before: which nodes may get another embedding in a layer, and the rows with messages
// to them. All other embeddings are the same to the last bit, since their messages are, in the same order.
//
// A node's signature is a hash of its rows in order (64 bits: a false match is as likely as a hardware fault).
#pragma once

#include <cstdint>
#include <vector>

#include "basics/lists.h"
#include "networks/graph.h"

namespace liftq {

class Changes {
 public:
  // Begins with the nodes whose rows are not those of the graph before. `kinds`: by relation, whatever its messages
  // depend on beside embeddings. False if no graph before is known, so that all nodes change.
  bool begin(const Graph& graph, const std::vector<uint64_t>& kinds);
  void finish() { is_finished_ = true; }  // all layers were computed: without that, the graph is not known

  // To the next layer, which reads these other embeddings.
  void advance(const std::vector<int>& changed);
  const std::vector<int>& nodes() const { return nodes_; }  // that may change in this layer, in ascending order
  size_t rows() const { return rows_; }                     // with messages to them
  size_t all_rows() const { return begin_.size() - 1; }

  // Appends the rows of a relation with messages to nodes that may change. `targets`: these nodes, and `elsewhere` in
  // place of all others.
  void select(const Graph& graph, size_t relation, int elsewhere, std::vector<int>& nodes, std::vector<int>& targets,
              std::vector<float>& counts) const;

 private:
  class Bits {
   public:
    void reset(size_t size) { words_.assign((size + 63) / 64, 0); }
    bool operator[](size_t index) const { return words_[index / 64] >> (index % 64) & 1; }
    bool set(size_t index);  // whether it was not set before
    template <class Visit>
    void for_each(size_t begin, size_t end, Visit visit) const;

   private:
    std::vector<uint64_t> words_;
  };

  void read(const Graph& graph, const std::vector<uint64_t>& kinds);
  std::vector<uint64_t> signatures_, new_signatures_;  // by node
  std::vector<int> touched_;                           // nodes with other rows
  std::vector<int> flat_;                              // nodes of all rows, relation by relation
  std::vector<uint32_t> begin_;                        // by row: into flat_, with one past the end
  std::vector<uint32_t> first_row_;                    // by relation, with one past the end
  Lists<uint32_t> rows_of_;                            // by node
  Bits may_change_, is_selected_;                      // by node, by row
  std::vector<int> nodes_;
  size_t rows_ = 0;
  bool is_finished_ = false;
};

}  // namespace liftq
