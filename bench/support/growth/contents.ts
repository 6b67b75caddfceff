/**
 * The data of an item in a list that grows: how its items are spread over the values that filters look for. The share of each value is
 * the same at each size. Values whose total is counted up to 10,000 come close to that at the smallest size.
 */
export type Contents = {
  mark: string
  rank: number
  era: string
  shape: string
  kind: string
  state: string
  text: string
}

/** The list has them with these indexes. */
export const indexes = {
  mark: { pointer: '/mark', alias: true, filtering: true },
  rank: { pointer: '/rank', valueType: 'number', sorting: true, filtering: true },
  era: { pointer: '/era', filtering: true },
  shape: { pointer: '/shape', filtering: true },
  kind: { pointer: '/kind', filtering: true },
  state: { pointer: '/state', filtering: true },
}

export const schema = { type: 'object', required: ['mark', 'rank'] }

/** The share of the list that is old; the newest items are not. */
const oldShare = 0.88
/** The number of oldest items whose shape contains a text that no other shape has. */
const needles = 3
export const needleShape = 'round-needle'

/**
 * The data of the nth of `size` items, which are created in this order. `rank` has each number once, in no order. Old items are round,
 * new ones are square, so that no item is old and square.
 */
export function contentsOf(n: number, size: number): Contents {
  const isOld = n < size * oldShare
  const shape = isOld ? 'round' : 'square'
  return {
    mark: markOf(n),
    rank: (n * 7_919) % size,
    era: isOld ? 'old' : 'new',
    shape: n < needles ? needleShape : shape,
    kind: n % 20 === 0 ? 'odd' : 'common',
    // One of a hundred, of all ages.
    state: n % 100 === 0 ? 'rare' : 'usual',
    text,
  }
}

export function markOf(n: number): string {
  return `item-${String(n).padStart(8, '0')}`
}

/** Creates an item of about 400 bytes. */
const text = 'The quick brown fox jumps over the lazy dog and runs away. '.repeat(5)
