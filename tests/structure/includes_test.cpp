// The floor plan, kept by reading every header: who may include whom, which standard headers the core may use, what it may not use.

#include "../amalgamate/source_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// An include goes to a strictly lower rank or stays in its folder; folders of one rank are strangers.
std::map<std::string, int> const rank_of = {
    {"config", 0}, {"core", 1},       {"math", 2},      {"rotation", 3}, {"ode", 3},   {"linear", 3}, {"body", 4},
    {"geometry", 5}, {"constraint", 5}, {"collision", 6}, {"solver", 6},   {"world", 7}, {"figure", 8}, {"io", 9},
};

std::set<std::string> const standard_of_core = {
    "algorithm", "array", "bit", "compare", "concepts", "cstddef", "cstdint", "initializer_list",
    "limits",    "new",   "span", "tuple",  "type_traits", "utility",
};
// The one file that may use each of these.
std::map<std::string, std::string> const standard_of_one = {{"stdexcept", "sinew/core/errors.hpp"}, {"cstring", "sinew/core/dynamic_vector.hpp"}};

struct header {
    std::string name;    // "sinew/math/vec.hpp"
    std::string folder;  // "math"; empty for sinew.hpp
    source_text::file file;

    [[nodiscard]] std::string at(std::size_t line) const { return "include/" + name + ":" + std::to_string(line + 1) + ": "; }
};

fs::path include_folder() { return fs::path(SINEW_SOURCE_DIR) / "include"; }

std::vector<header> const& headers() {
    static std::vector<header> const all = [] {
        std::vector<header> found;
        for (auto const& entry : fs::recursive_directory_iterator(include_folder())) {
            if (!entry.is_regular_file()) continue;
            std::string const name = fs::relative(entry.path(), include_folder()).generic_string();
            std::string const folder = fs::path(name).parent_path().filename().generic_string();
            found.push_back({name, folder == "sinew" ? "" : folder, source_text::file(source_text::read(entry.path()).value())});
        }
        std::sort(found.begin(), found.end(), [](header const& a, header const& b) { return a.name < b.name; });
        return found;
    }();
    return all;
}

std::string folder_of(std::string const& name) {
    std::string const parent = fs::path(name).parent_path().filename().generic_string();
    return parent == "sinew" ? "" : parent;
}

TEST(floor_plan, there_are_headers) { ASSERT_FALSE(headers().empty()); }

TEST(floor_plan, a_header_lives_in_a_folder_of_the_plan) {
    for (auto const& h : headers()) {
        EXPECT_TRUE(h.name.ends_with(".hpp")) << h.at(0) << "only headers live under include/";
        if (h.name == "sinew/sinew.hpp") continue;
        EXPECT_TRUE(rank_of.contains(h.folder) && h.name.starts_with("sinew/" + h.folder + "/")) << h.at(0) << "no such folder in the plan";
    }
}

TEST(floor_plan, an_include_is_rooted_and_leads_to_a_header) {
    for (auto const& h : headers())
        for (auto const& include : h.file.includes) {
            EXPECT_TRUE(include.angled) << h.at(include.line) << "write #include <sinew/folder/name.hpp>";
            if (include.name.find('/') == std::string::npos && !include.name.ends_with(".hpp")) continue;
            EXPECT_TRUE(include.name.starts_with("sinew/")) << h.at(include.line) << "write #include <sinew/folder/name.hpp>";
            EXPECT_TRUE(fs::is_regular_file(include_folder() / include.name)) << h.at(include.line) << "there is no " << include.name;
            EXPECT_FALSE(include.conditional) << h.at(include.line) << "a single header cannot follow an include under #if";
        }
}

TEST(floor_plan, an_include_goes_down_or_stays_in_its_folder) {
    for (auto const& h : headers()) {
        if (!rank_of.contains(h.folder)) continue;
        for (auto const& include : h.file.includes) {
            if (!include.name.starts_with("sinew/")) continue;
            std::string const to = folder_of(include.name);
            bool const down = rank_of.contains(to) && rank_of.at(to) < rank_of.at(h.folder);
            EXPECT_TRUE(down || to == h.folder) << h.at(include.line) << h.folder << " must not know " << (to.empty() ? include.name : to);
        }
    }
}

TEST(floor_plan, the_core_uses_few_standard_headers) {
    for (auto const& h : headers()) {
        if (h.folder == "io") continue;
        for (auto const& include : h.file.includes) {
            if (include.name.starts_with("sinew/")) continue;
            auto const one = standard_of_one.find(include.name);
            bool const allowed = standard_of_core.contains(include.name) || (one != standard_of_one.end() && one->second == h.name);
            EXPECT_TRUE(allowed) << h.at(include.line) << "the core does not use <" << include.name << "> here";
        }
    }
}

TEST(floor_plan, threads_are_for_whoever_asks) {
    std::set<std::string> const of_threads = {"thread", "mutex", "shared_mutex", "condition_variable", "future", "semaphore", "latch", "barrier", "stop_token", "atomic"};
    for (auto const& h : headers()) {
        for (auto const& include : h.file.includes) {
            if (of_threads.contains(include.name)) {
                EXPECT_EQ(h.name, "sinew/io/thread_pool.hpp") << h.at(include.line) << "only the thread pool knows <" << include.name << ">";
            }
            if (include.name == "sinew/io/thread_pool.hpp") ADD_FAILURE() << h.at(include.line) << "a user includes the thread pool, no header does";
        }
    }
}

TEST(floor_plan, sinew_hpp_reaches_all_but_io) {
    std::map<std::string, header const*> by_name;
    for (auto const& h : headers()) by_name[h.name] = &h;
    std::set<std::string> reached;
    std::vector<std::string> open = {"sinew/sinew.hpp"};
    while (!open.empty()) {
        std::string const name = open.back();
        open.pop_back();
        if (!by_name.contains(name) || !reached.insert(name).second) continue;
        for (auto const& include : by_name[name]->file.includes) open.push_back(include.name);
    }
    for (auto const& h : headers()) {
        if (h.folder == "io")
            EXPECT_FALSE(reached.contains(h.name)) << "sinew.hpp must not include " << h.name;
        else
            EXPECT_TRUE(reached.contains(h.name)) << "include/sinew/sinew.hpp: add #include <" << h.name << "> (tests/scripts/list_headers.sh does)";
    }
}

TEST(floor_plan, headers_do_not_include_each_other_in_a_cycle) {
    std::map<std::string, header const*> by_name;
    for (auto const& h : headers()) by_name[h.name] = &h;
    enum class state { fresh, open, done };
    std::map<std::string, state> states;
    auto const visit = [&](auto const& self, std::string const& name) -> void {
        if (!by_name.contains(name) || states[name] == state::done) return;
        ASSERT_NE(states[name], state::open) << name << " includes itself in the end";
        states[name] = state::open;
        for (auto const& include : by_name[name]->file.includes) self(self, include.name);
        states[name] = state::done;
    };
    for (auto const& h : headers()) visit(visit, h.name);
}

TEST(style, a_header_begins_with_pragma_once_and_says_what_it_is) {
    for (auto const& h : headers()) {
        ASSERT_GE(h.file.lines.size(), 2u) << h.name;
        EXPECT_EQ(h.file.lines[0], "#pragma once") << h.at(0);
        EXPECT_TRUE(h.file.lines[1].starts_with("// ")) << h.at(1) << "a head comment says what the file is";
    }
}

TEST(style, no_run_time_dispatch_and_no_hidden_allocation) {
    std::regex const banned(R"(\b(virtual|dynamic_cast|typeid|std::function|std::shared_ptr)\b)");
    for (auto const& h : headers())
        for (std::size_t n = 0; n < h.file.code.size(); ++n)
            EXPECT_FALSE(std::regex_search(h.file.code[n], banned)) << h.at(n) << h.file.lines[n];
}

TEST(style, macros_live_in_config) {
    for (auto const& h : headers()) {
        if (h.folder == "config") continue;
        for (std::size_t n = 0; n < h.file.code.size(); ++n)
            EXPECT_NE(source_text::directive(h.file.code[n]), "define") << h.at(n) << "only config/ defines macros";
    }
}

TEST(style, plain_ascii_without_tabs) {
    for (auto const& h : headers())
        for (std::size_t n = 0; n < h.file.lines.size(); ++n) {
            auto const odd = [](char c) { return c < ' ' || c > '~'; };
            EXPECT_TRUE(std::none_of(h.file.lines[n].begin(), h.file.lines[n].end(), odd)) << h.at(n) << h.file.lines[n];
        }
}

}  // namespace
