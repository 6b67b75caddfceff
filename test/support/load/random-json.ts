/** A generator of numbers from 0 to below 1 that returns the same numbers for the same seed, so that a failing test can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function pick<T>(random: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0]
}

/** The same JSON twice: as it was written, and without the white space outside its strings. */
export type JsonPair = { written: string; compact: string }

/** Scalars as source text, including those that a double, an object or a careless scanner would change. */
const scalars = [
  'null', 'true', 'false', '0', '-0', '1', '1.0', '1E5', '-1.5e-3', '1e400', '-1e400', '9007199254740993', '0.1000000000000000055',
  '""', '"a"', '"a b"', '"\\""', '"\\\\"', '"\\\\\\""', '" \\t{}[]:, "', '"ü😀"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\/"',
] as const // biome-ignore format: a list of words

const keys = [
  '"a"',
  '"b"',
  '"10"',
  '"2"',
  '"__proto__"',
  '"constructor"',
  '"\\u0063"',
  '"d d"',
  '"{"',
  '"é"',
  '""',
] as const
const spaces = ['', '', '', ' ', '\n', '\t', '\r\n  '] as const

/** A JSON value with random white space; no object has a key twice. */
export function randomJson(random: () => number, depth = 5): JsonPair {
  const kind = depth === 0 ? 1 : random()
  if (kind < 0.35) return spaced(random, container('{', '}', members(random, depth)))
  if (kind < 0.6)
    return spaced(
      random,
      container(
        '[',
        ']',
        parts(random, () => randomJson(random, depth - 1)),
      ),
    )
  const text = pick(random, scalars)
  return spaced(random, { written: text, compact: text })
}

function members(random: () => number, depth: number): JsonPair[] {
  const left = new Set<string>(keys)
  return parts(random, () => {
    const key = pick(random, [...left] as [string, ...string[]])
    left.delete(key)
    const value = randomJson(random, depth - 1)
    const written = pick(random, spaces) + key + pick(random, spaces)
    return { written: `${written}:${value.written}`, compact: `${key}:${value.compact}` }
  })
}

function parts(random: () => number, part: () => JsonPair): JsonPair[] {
  return Array.from({ length: Math.floor(random() * 5) }, part)
}

function container(open: string, close: string, inner: readonly JsonPair[]): JsonPair {
  return {
    written: open + inner.map(({ written }) => written).join(',') + close,
    compact: open + inner.map(({ compact }) => compact).join(',') + close,
  }
}

function spaced(random: () => number, { written, compact }: JsonPair): JsonPair {
  return { written: pick(random, spaces) + written + pick(random, spaces), compact }
}
