// Every constraint of the library has a case, so that what runs over all cases runs over all constraints.

#include <constraint/cases/all.hpp>

#include <sinew/core/type_name.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sinew;
using namespace sinew_test;

template <template <class> class... Cases>
std::vector<std::string> names(case_list<Cases...>) {
    return {type_name<typename item_of<Cases>::template type<double>>()...};
}
// Types and aliases: "distance" is the same type as "distance_between<double, rigid, rigid>".
template <template <class> class... Types>
std::vector<std::string> names_of() {
    return {type_name<Types<double>>()...};
}

std::string text_of(std::filesystem::path const& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Structs with rows, and templates over the scalar alone that name a part of a family: both are what a world can list.
TEST(cases, there_is_one_of_every_constraint) {
    std::vector<std::string> const known = names(all_cases{});
    std::regex const declaration(R"(struct (\w+) \{\n    static constexpr std::size_t rows)");
    std::set<std::string> found;
    for (auto const& file : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/include/sinew/constraint")) {
        std::string const text = text_of(file.path());
        for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i) found.insert((*i)[1]);
    }
    for (std::string const& name : found) {
        bool const has_case = std::any_of(known.begin(), known.end(), [&](std::string const& k) { return k.starts_with(name + "<"); });
        EXPECT_TRUE(has_case) << name << " has no case in tests/constraint/cases";
    }
    // soft_joint spells its rows in another way.
    EXPECT_GE(found.size(), 40u) << "the pattern no longer finds what it should";
}

// The aliases of a header whose families bind several kinds of bodies are all there.
TEST(cases, there_is_one_of_every_kind_of_bodies) {
    std::vector<std::string> const known = names(all_cases{});
    std::set<std::string> const all(known.begin(), known.end());
    EXPECT_EQ(all.size(), known.size()) << "a case is there twice";
    for (std::string const& name :
         names_of<distance, particle_distance, particle_body_distance, rope, particle_rope, particle_body_rope, linear_limit, particle_linear_limit, point_on_line, particle_on_line,
                  point_on_plane, particle_on_plane, ball_joint, particle_pin, scalar_point_to_point, scalar_particle_pin, linear_motor, particle_motor, pulley, particle_pulley,
                  particle_body_pulley, pulley_rod, particle_pulley_rod, linear_servo, particle_servo, spring_damper, particle_spring_damper, particle_body_spring_damper, twist_limit>())
        EXPECT_TRUE(all.contains(name)) << name << " has no case in tests/constraint/cases";
}

}  // namespace
