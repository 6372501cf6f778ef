// Makes the single headers: amalgamate <include folder> <output folder>
//
//   sinew.hpp     everything that <sinew/sinew.hpp> includes
//   sinew_io.hpp  every header of sinew/io, on top of sinew.hpp
//
// Each header once, by resolved path, after what it includes. The standard headers are gathered at the top; one that is included
// under #if stays where it is. The output depends on the text of the headers and of LICENSE (beside the include folder) alone.

#include "source_text.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct failure : std::runtime_error {
    using runtime_error::runtime_error;
};

bool is_rooted(std::string const& name) { return name.starts_with("sinew/"); }
bool is_io(std::string const& name) { return name.starts_with("sinew/io/"); }
bool is_blank(std::string const& line) { return line.find_first_not_of(" \t") == std::string::npos; }

std::string text_of(fs::path const& path) {
    auto const text = source_text::read(path);
    if (!text) throw failure("cannot read " + path.generic_string());
    return *text;
}

/// One output file in the making.
class single_header {
public:
    single_header(fs::path include, single_header const* core) : include_(std::move(include)), core_(core) {}

    /// Appends a header ("sinew/math/vec.hpp") after all that it includes.
    void add(std::string const& name) { add(name, "this program"); }

    [[nodiscard]] std::string text(std::string const& head) const {
        std::string out = head + "\n#pragma once\n\n";
        for (auto const& name : standard_) out += "#include <" + name + ">\n";
        if (needs_core_) out += std::string(standard_.empty() ? "" : "\n") + "#include \"sinew.hpp\"\n";
        return out + shield_begins_ + body_ + shield_ends_;
    }

private:
    void add(std::string const& name, std::string const& wanted_by) {
        fs::path const path = include_ / name;
        if (!fs::is_regular_file(path)) throw failure("cannot find <" + name + ">, which is included by " + wanted_by);
        fs::path const key = fs::canonical(path);
        if (done_.contains(key)) return;
        if (auto const open = std::find(open_.begin(), open_.end(), name); open != open_.end()) {
            std::string cycle;
            for (auto i = open; i != open_.end(); ++i) cycle += *i + " -> ";
            throw failure("the headers include each other in a cycle: " + cycle + name);
        }
        if (core_ && !is_io(name)) {
            if (!core_->done_.contains(key)) throw failure("<" + name + ">, which is included by " + wanted_by + ", is not part of sinew.hpp");
            needs_core_ = true;
            return;
        }
        open_.push_back(name);
        source_text::file const file(text_of(path));
        std::set<std::size_t> dropped;
        for (auto const& include : file.includes) {
            std::string const where = name + ":" + std::to_string(include.line + 1);
            if (!include.angled) throw failure(where + " has an #include that is not of the form <name>");
            if (is_rooted(include.name)) {
                if (include.conditional) throw failure(where + " includes <" + include.name + "> under #if, which a single header cannot follow");
                add(include.name, where);
            } else if (include.conditional) {
                continue;
            } else {
                standard_.insert(include.name);
            }
            dropped.insert(include.line);
        }
        append(name, file, dropped);
        open_.pop_back();
        done_.insert(key);
    }

    void append(std::string const& name, source_text::file const& file, std::set<std::size_t> dropped) {
        for (std::size_t n = 0; n < file.code.size(); ++n)
            if (source_text::directive(file.code[n]) == "pragma" && file.code[n].find("once") != std::string::npos) dropped.insert(n);
        drop_shields(file, dropped);
        std::string text;
        bool after_blank = true;
        for (std::size_t n = 0; n < file.lines.size(); ++n) {
            // A dropped line takes the blank line after it along; all other blank lines stay, since they may be part of a literal.
            bool const left_over = n > 0 && dropped.contains(n - 1) && after_blank && is_blank(file.lines[n]);
            if (dropped.contains(n) || left_over) continue;
            after_blank = is_blank(file.lines[n]);
            text += file.lines[n] + "\n";
        }
        while (text.ends_with("\n\n")) text.pop_back();
        if (text.find_first_not_of(" \t\n") != std::string::npos) body_ += "\n// ---- " + name + "\n" + text;
    }

    // #if that has nothing but pragmas for diagnostics within: a header may hold them off what it includes, here they are around all.
    static void drop_shields(source_text::file const& file, std::set<std::size_t>& dropped) {
        for (std::size_t n = 0; n < file.code.size(); ++n) {
            if (source_text::directive(file.code[n]) != "if") continue;
            std::size_t end = n + 1;
            while (end < file.code.size() && (is_blank(file.code[end]) || file.code[end].find("#pragma GCC diagnostic") == 0)) ++end;
            if (end == n + 1 || end == file.code.size() || source_text::directive(file.code[end]) != "endif") continue;
            for (std::size_t k = n; k <= end; ++k) dropped.insert(k);
        }
    }

    static constexpr char const* shield_begins_ =
        "\n#if defined(__GNUC__) && !defined(__clang__)\n"
        "// g++ takes names of your globals for shadowed by those within templates of a header.\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wshadow\"\n#endif\n";
    static constexpr char const* shield_ends_ = "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic pop\n#endif\n";

    fs::path include_;
    single_header const* core_;
    std::set<fs::path> done_;
    std::vector<std::string> open_;
    std::set<std::string> standard_;
    bool needs_core_ = false;
    std::string body_;
};

std::string version_in(fs::path const& header) {
    std::istringstream in(text_of(header));
    std::map<std::string, std::string> numbers;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string define, name, value;
        if (words >> define >> name >> value && define == "#define") numbers[name] = value;
    }
    for (auto const* part : {"SINEW_VERSION_MAJOR", "SINEW_VERSION_MINOR", "SINEW_VERSION_PATCH"})
        if (!numbers.contains(part)) throw failure(header.generic_string() + " does not define " + part);
    return numbers["SINEW_VERSION_MAJOR"] + "." + numbers["SINEW_VERSION_MINOR"] + "." + numbers["SINEW_VERSION_PATCH"];
}

std::string head(std::string const& what, std::string const& version, std::string const& license) {
    std::string out = "// sinew " + version + ": " + what + ".\n// Made from include/ by tests/amalgamate/amalgamate.cpp: change it there.\n//\n";
    for (auto const& line : source_text::lines_of(license)) out += line.empty() ? "//\n" : "// " + line + "\n";
    return out;
}

void write(fs::path const& path, std::string const& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw failure("cannot write " + path.generic_string());
}

void amalgamate(fs::path const& include, fs::path const& output) {
    if (!fs::is_directory(include / "sinew")) throw failure(include.generic_string() + " is not the include folder: it has no sinew/");
    if (!fs::is_directory(output)) throw failure(output.generic_string() + " is not a folder to write to");
    std::string const license = text_of(fs::canonical(include).parent_path() / "LICENSE");
    std::string const version = version_in(include / "sinew/config/version.hpp");

    single_header core(include, nullptr);
    core.add("sinew/sinew.hpp");
    write(output / "sinew.hpp", core.text(head("constrained rigid-body dynamics, the whole core in one header", version, license)));

    std::set<std::string> names;  // sorted: a folder is listed in any order
    if (fs::is_directory(include / "sinew/io"))
        for (auto const& entry : fs::directory_iterator(include / "sinew/io"))
            if (entry.path().extension() == ".hpp") names.insert("sinew/io/" + entry.path().filename().generic_string());
    if (names.empty()) return;
    single_header io(include, &core);
    for (auto const& name : names) io.add(name);
    write(output / "sinew_io.hpp", io.text(head("readers and writers for hosted systems, on top of sinew.hpp", version, license)));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: amalgamate <include folder> <output folder>\n", stderr);
        return 2;
    }
    try {
        amalgamate(argv[1], argv[2]);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "amalgamate: %s\n", e.what());
        return 1;
    }
    return 0;
}
