#pragma once
// The version of the library: macros that a user can ask in #if, and the same as a constant. CMakeLists.txt reads its numbers here.

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION (SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH)

namespace sinew::inline v0 {

/// The version of these headers as one number to compare: 10000 major + 100 minor + patch.
inline constexpr int version = SINEW_VERSION;

}  // namespace sinew::inline v0
