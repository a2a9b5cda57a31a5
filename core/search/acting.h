// How the values of one pass are turned into actions.
#pragma once

#include <cstddef>

namespace liftq {

struct Acting {
  double gap = 0;           // actions this much worse than the best are taken too,
  double relative_gap = 0;  // or this share of the best value, if that is more
  size_t most = 1;          // actions from one pass
  double share = 1;         // the same as a share of those that the policy still expects to need
  double price = 0;         // of taking an action again without having come closer
  bool searching = false;   // best-first from the start, with h_FF and landmarks beside the values
  bool search = true;       // whether a policy that is lost is helped by search
  bool again = false;       // whether it also plays one by one where passes are cheap: the cheaper plan counts
  bool give_up = false;     // without search: end as soon as the run is known to fail
};

}  // namespace liftq
