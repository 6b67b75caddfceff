// JSON as a plain tree whose scalars and keys are their source text, for comparison with edits of texts.

/** Members of objects in their order; a key is its source text, quotes included. */
export type Naive = string | Naive[] | { members: [key: string, value: Naive][] }

/** The tree of a compact text without repeated keys. */
export function naive(text: string): Naive {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^"{}[\],:]+|[{}[\],:]/gs) ?? []
  let at = 0
  const value = (): Naive => {
    const token = tokens[at++] ?? ''
    if (token !== '[' && token !== '{') return token
    const array: Naive[] = []
    const members: [string, Naive][] = []
    while (tokens[at] !== ']' && tokens[at] !== '}') {
      if (tokens[at] === ',') at++
      if (token === '[') array.push(value())
      else {
        const key = tokens[at] ?? ''
        at += 2 // the key and its colon
        members.push([key, value()])
      }
    }
    at++
    return token === '[' ? array : { members }
  }
  return value()
}

export function printNaive(tree: Naive): string {
  if (typeof tree === 'string') return tree
  if (Array.isArray(tree)) return `[${tree.map(printNaive).join(',')}]`
  return `{${tree.members.map(([key, value]) => `${key}:${printNaive(value)}`).join(',')}}`
}

/** Every pointer of a value in the tree. */
export function pointersOf(tree: Naive, prefix = ''): string[] {
  if (typeof tree === 'string') return [prefix]
  const inner = Array.isArray(tree)
    ? tree.flatMap((value, n) => pointersOf(value, `${prefix}/${n}`))
    : tree.members.flatMap(([key, value]) => pointersOf(value, `${prefix}/${tokenOf(key)}`))
  return [prefix, ...inner]
}

/** The token of a pointer for a key. */
export function tokenOf(key: string): string {
  return (JSON.parse(key) as string).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The tree with another value at a pointer; undefined removes the value. */
export function withNaive(tree: Naive, pointer: string, value: Naive | undefined): Naive | undefined {
  if (pointer === '') return value
  const [, token = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? []
  const change = (inner: Naive): Naive[] => [withNaive(inner, rest, value)].filter((left) => left !== undefined)
  if (typeof tree === 'string') throw new Error(`${pointer} leads nowhere`)
  if (Array.isArray(tree)) return tree.flatMap((inner, n) => (String(n) === token ? change(inner) : [inner]))
  return {
    members: tree.members.flatMap(([key, inner]) =>
      tokenOf(key) === token ? change(inner).map((left): [string, Naive] => [key, left]) : [[key, inner]],
    ),
  }
}

/** The value at a pointer. */
export function naiveAt(tree: Naive, pointer: string): Naive {
  if (pointer === '') return tree
  const [, token = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? []
  const inner = Array.isArray(tree)
    ? tree[Number(token)]
    : typeof tree === 'string'
      ? undefined
      : tree.members.find(([key]) => tokenOf(key) === token)?.[1]
  if (inner === undefined) throw new Error(`${pointer} leads nowhere`)
  return naiveAt(inner, rest)
}

/** A merge patch: null removes a member, objects are merged member by member, everything else is replaced. */
export function patchNaive(tree: Naive, patch: Naive): Naive {
  if (typeof patch === 'string' || Array.isArray(patch)) return patch
  let members: [key: string, value: Naive][] = typeof tree === 'string' || Array.isArray(tree) ? [] : tree.members
  for (const [key, value] of patch.members) {
    const old = members.find(([other]) => tokenOf(other) === tokenOf(key))
    if (value === 'null') members = members.filter((member) => member !== old)
    else if (!old) members = [...members, [key, patchNaive('null', value)]]
    else members = members.map((member) => (member === old ? [old[0], patchNaive(old[1], value)] : member))
  }
  return { members }
}

/** A deep merge: objects member by member, arrays concatenated, everything else replaced. */
export function mergeNaive(tree: Naive, change: Naive): Naive {
  if (typeof tree === 'string' || typeof change === 'string') return change
  if (Array.isArray(tree) || Array.isArray(change)) {
    return Array.isArray(tree) && Array.isArray(change) ? [...tree, ...change] : change
  }
  const members = [...tree.members]
  for (const [key, value] of change.members) {
    const at = members.findIndex(([other]) => tokenOf(other) === tokenOf(key))
    const old = members[at]
    if (old) members[at] = [old[0], mergeNaive(old[1], value)]
    else members.push([key, value])
  }
  return { members }
}
