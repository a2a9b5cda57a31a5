#include "basics/status.h"

namespace liftq {

constinit thread_local Status* status = nullptr;

}  // namespace liftq
