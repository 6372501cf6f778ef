#!/usr/bin/env python3
"""The most stack that any path of calls can take, from g++'s -fcallgraph-info=su files and the objects beside them (-save-temps=obj). Fails, and names them, where
functions call themselves or each other in a ring, take an amount of stack that is not known, or are not known themselves. What is not C++ and has no file
(the C library) is taken for 96 bytes. A call by a pointer is taken to reach whatever an object takes the address of; without objects, whatever nothing calls by its
name; of a call_view, what it can be a view of. Of functions that do the same the compiler keeps one, whose name may be another's: it is looked for among those that
differ in types alone."""
import re
import subprocess
import sys

frame, calls = {}, {}
unbounded = set()
graphs = [f for f in sys.argv[1:] if f.endswith('.ci')]
objects = [f for f in sys.argv[1:] if f.endswith('.o')]
for file in graphs:
    for line in open(file):
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

start = 'start_up' if 'start_up' in frame else 'begin'
by_pointer = '__indirect_call'
clone = re.compile(r'(\.(part|isra|constprop|lto_priv|cold)(\.\d+)?)+$')
clones, alike, path = {}, {}, []
for name in frame:
    clones.setdefault(clone.sub('', name), []).append(name)


def without_types(functions):
    """Each as it is in the source, without arguments of templates and functions."""
    plain = [clone.sub('', f).split(':')[-1] for f in functions]
    text = subprocess.run(['c++filt'], input='\n'.join(plain), capture_output=True, text=True, check=True).stdout
    for name in text.splitlines():
        before = None
        while before != name:
            before = name
            name = re.sub(r'<[^<>]*>|\((?!\))[^()]*\)|\[[^\[\]]*\]', '', name.replace('operator()', 'call').replace('operator<', 'less'))
        yield name.split(' ')[-1]


for name, source in zip(frame, without_types(frame)):
    alike.setdefault(source, []).append(name)


def known(function):
    """The functions with a frame that a name may stand for."""
    if function in frame:
        return [function]
    # Of constructors and destructors there is one body, C2 or D2, and the other names are its own.
    names = {function} | {function[:m.start()] + m.group(1) + '2' + function[m.end():] for m in re.finditer(r'([CD])[0134](?=[EI])', function)}
    piece = '.part' in function  # of a function, and not the whole

    def fit(names):
        return [f for f in names if not piece or '.part' in f]

    found = [f for name in names for f in fit(clones.get(clone.sub('', name), []))]
    if not found and '_Z' in function:
        found = fit(alike.get(next(without_types([function])), []))
        if not found and piece:  # kept as a piece of a function that has nothing to do with it
            found = [f for f in fit(frame) if ends(f)]
        if not found:
            sys.exit('a function without a frame: ' + function)
    return found


def addresses():
    """The functions whose address an object takes: what relocations name that are no calls. A function of one file alone is named by its section, one that is kept for
    several by any of their names."""
    for file in objects:
        named = {}  # function: all names of where it is
        places = {}
        for line in readelf('-sW', file):
            fields = line.split()
            if len(fields) == 8 and fields[3] == 'FUNC' and fields[6] != 'UND':
                places.setdefault((fields[6], int(fields[1], 16) & ~1), []).append(fields[7])
        for names in places.values():
            named.update({name: names for name in names})
        section = ''
        for line in readelf('-rW', file):
            if line.startswith('Relocation section'):
                section = line.split("'")[1]
            fields = line.split()
            if len(fields) < 5 or not fields[2].startswith('R_') or re.search('CALL|JUMP|JAL|BRANCH|RVC|PREL31', fields[2]) or re.search('debug|eh_frame|ARM.ex', section):
                continue
            name = re.sub(r'^\.text\.(unlikely\.|startup\.)?', '', fields[4])
            if name not in named:
                continue  # data, or of a library
            found = [f for same in named[name] for f in plain.get(same, [])]
            if not found:
                sys.exit('a function without a frame, whose address is taken: ' + name)
            yield from found


def readelf(what, file):
    return subprocess.run(['readelf', what, file], capture_output=True, text=True, check=True).stdout.splitlines()


plain = {}  # without the file that the graph puts before those of one file alone
for name in frame:
    plain.setdefault(name.split(':')[-1], []).append(name)
if objects:
    pointed_at = sorted(set(addresses()) - {start})
else:
    called = {f for targets in calls.values() for target in targets if target != by_pointer for f in ([target] if target in frame else clones.get(clone.sub('', target), []))}
    pointed_at = [f for f in frame if f not in called and f != start]
a_view = re.compile(r'_ZNK5sinew2v06detail9call_viewI(.+)EclE')


def reached_by_pointer(function):
    view = a_view.search(function)
    found = [f for f in pointed_at if '_ZN5sinew2v06detail9call_viewI' + view.group(1) + 'E4callI' in f] if view else pointed_at
    if not found and objects:
        sys.exit('a call by a pointer to what is not known: ' + function)
    return found


depth = {}


def below(function):
    for target in calls.get(function, ()):
        targets = reached_by_pointer(function) if target == by_pointer else known(target)
        yield max((deepest(f) for f in targets), default=96)


class Unbounded(Exception):
    pass


def deepest(function):
    if function in depth:
        return depth[function]
    if function in path:
        raise Unbounded('a ring of calls: ' + ' -> '.join(path[path.index(function):] + [function]))
    if function in unbounded:
        raise Unbounded('stack of unknown size: ' + function)
    path.append(function)
    try:
        depth[function] = frame[function] + max(below(function), default=0)
    finally:
        path.pop()
    return depth[function]


def ends(function):
    """Whether it can be called here without a ring."""
    try:
        deepest(function)
        return True
    except Unbounded:
        return False


sys.setrecursionlimit(100000)
try:
    print(deepest(start))
except Unbounded as reason:
    sys.exit(str(reason))
