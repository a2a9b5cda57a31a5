// Parts by name. Each is one file, which registers it.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace liftq {

// `Part::kNoun` names the kind of part in errors.
template <class Part>
class Registry {
 public:
  Registry(const std::string& name, Part part) { parts().emplace(name, part); }  // as a constant of the part's file

  static const std::map<std::string, Part>& all() { return parts(); }
  static const Part& find(const std::string& name) {  // std::invalid_argument if there is none
    const auto found = parts().find(name);
    if (found != parts().end()) return found->second;
    std::string known;
    for (const auto& [other, _] : parts()) known += (known.empty() ? "" : ", ") + other;
    throw std::invalid_argument("there is no " + std::string(Part::kNoun) + " called " + name + ", but " + known);
  }

 private:
  static std::map<std::string, Part>& parts() {  // created on first use, since files register in any order
    static std::map<std::string, Part> parts;
    return parts;
  }
};

}  // namespace liftq
