// Prints one line per scene of the files that it is linked with. The lines must be those of hashes.txt on every compiler and processor.

#include <determinism/scene.hpp>

int main() {
    if (!sinew::arithmetic_is_as_written()) {
        std::fputs("products are fused into sums: build with -ffp-contract=off\n", stderr);
        return 2;
    }
    for (auto const* f = determinism::scene_file::first(); f != nullptr; f = f->next) {
        determinism::scene_file::running() = f->name;
        f->run();
    }
}
