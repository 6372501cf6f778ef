#pragma once
// A C++ source file as far as its #include lines: read, split into lines, with comments and literals told from code.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace source_text {

/// The file's text with line ends as '\n', or nothing when it cannot be read.
inline std::optional<std::string> read(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path)) return {};
    std::string raw{std::istreambuf_iterator<char>(in), {}};
    std::erase(raw, '\r');
    return raw;
}

/// Whether the quote at text[at] separates digits, as in 1'000.
inline bool is_digit_separator(std::string_view text, std::size_t at) {
    std::size_t start = at;
    auto const in_number = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '\'' || c == '.' || c == '_'; };
    while (start > 0 && in_number(text[start - 1])) --start;
    return start < at && std::isdigit(static_cast<unsigned char>(text[start]));
}

/// The text with comments blanked out, and the contents of literals too; every other character stays where it was.
inline std::string code_only(std::string_view text) {
    std::string code(text);
    std::size_t i = 0;
    auto const blank_until = [&](std::size_t end) {
        for (; i < end && i < text.size(); ++i)
            if (code[i] != '\n') code[i] = ' ';
    };
    auto const after = [&](std::string_view mark, std::size_t from) {
        std::size_t const found = text.find(mark, from);
        return found == std::string_view::npos ? text.size() : found + mark.size();
    };
    while (i < text.size()) {
        if (text.substr(i, 2) == "//") {
            blank_until(text.find('\n', i));
        } else if (text.substr(i, 2) == "/*") {
            blank_until(after("*/", i + 2));
        } else if (text[i] == '"' && i > 0 && text[i - 1] == 'R') {
            std::size_t const open = text.find('(', i);
            if (open == std::string_view::npos) break;
            std::string close(1, ')');
            close.append(text.substr(i + 1, open - i - 1)).append(1, '"');
            blank_until(after(close, open));
        } else if (text[i] == '"' || (text[i] == '\'' && !is_digit_separator(text, i))) {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
            ++i;
            blank_until(end);
            ++i;
        } else {
            ++i;
        }
    }
    return code;
}

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// What a line asks of the preprocessor: "include", "if", "pragma", ...; empty for any other line.
inline std::string directive(std::string_view code_line) {
    std::size_t i = code_line.find_first_not_of(" \t");
    if (i == std::string_view::npos || code_line[i] != '#') return {};
    i = code_line.find_first_not_of(" \t", i + 1);
    if (i == std::string_view::npos) return {};
    std::size_t end = i;
    while (end < code_line.size() && std::isalpha(static_cast<unsigned char>(code_line[end]))) ++end;
    return std::string(code_line.substr(i, end - i));
}

/// One #include line.
struct include_line {
    std::size_t line;  ///< counted from 0
    std::string name;  ///< what stands between the brackets or quotes; empty when there are none
    bool angled;       ///< <name>, not "name"
    bool conditional;  ///< inside #if
};

struct file {
    std::vector<std::string> lines;      ///< as written
    std::vector<std::string> code;       ///< the same without comments and literals
    std::vector<include_line> includes;  ///< in order

    explicit file(std::string const& text) : lines(lines_of(text)), code(lines_of(code_only(text))) {
        int depth = 0;
        for (std::size_t n = 0; n < code.size(); ++n) {
            std::string const what = directive(code[n]);
            if (what == "if" || what == "ifdef" || what == "ifndef") ++depth;
            if (what == "endif") --depth;
            if (what != "include") continue;
            std::size_t const open = lines[n].find_first_of("<\"");
            std::size_t const close = open == std::string::npos ? open : lines[n].find_first_of(">\"", open + 1);
            if (close == std::string::npos)
                includes.push_back({n, "", false, depth > 0});
            else
                includes.push_back({n, lines[n].substr(open + 1, close - open - 1), lines[n][open] == '<', depth > 0});
        }
    }
};

}  // namespace source_text
