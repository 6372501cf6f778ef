#!/usr/bin/env bash
# Writes include/sinew/sinew.hpp again: every header outside io/, folder by folder as in the floor plan. Run it after adding a header.
set -euo pipefail
cd "$(dirname "$0")/../../include"
{
    printf '#pragma once\n// All of sinew but io/, which needs a hosted system.\n'
    for folder in config core math rotation ode linear body geometry constraint collision solver world figure; do
        [ -d "sinew/$folder" ] || continue
        printf '\n'
        find "sinew/$folder" -name '*.hpp' | LC_ALL=C sort | sed 's/.*/#include <&>/'
    done
} > sinew/sinew.hpp
