#!/usr/bin/env python3
"""The most stack that any path of calls can take, from g++'s -fcallgraph-info=su files. Fails, and names them, where functions call
themselves or each other in a ring, or take an amount of stack that is not known. What has no file (the C library) is taken for 96 bytes."""
import re
import sys

frame, calls = {}, {}
unbounded = set()
for path in sys.argv[1:]:
    for line in open(path):
        node = re.match(r'node: \{ title: "([^"]+)" label: "(.*)"', line)
        if node:
            size = re.search(r'\\n(\d+) bytes \((\w+(?:,\w+)?)\)', node.group(2))
            if size:
                frame[node.group(1)] = int(size.group(1))
                if size.group(2) == 'dynamic':
                    unbounded.add(node.group(1))
        edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', line)
        if edge:
            calls.setdefault(edge.group(1), set()).add(edge.group(2).lstrip('*'))  # a name given by asm has a star

depth, path = {}, []


def deepest(function):
    if function in depth:
        return depth[function]
    if function in path:
        sys.exit('a ring of calls: ' + ' -> '.join(path[path.index(function):] + [function]))
    if function in unbounded:
        sys.exit('stack of unknown size: ' + function)
    path.append(function)
    depth[function] = frame.get(function, 96) + max((deepest(f) for f in calls.get(function, ())), default=0)
    path.pop()
    return depth[function]


sys.setrecursionlimit(100000)
print(deepest('start_up' if 'start_up' in frame else 'begin'))
