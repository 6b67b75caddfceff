/**
 * What is in a list that grows: how items of any number are spread over the values that filters look for. Shares of the list stay
 * the same at each size, and those of which the total is counted to 10,000 come close to that at the smallest.
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
/** The oldest items, whose shape contains what no other has. */
const needles = 3
export const needleShape = 'round-needle'

/**
 * The nth of so many items, which are created in this order. `rank` has each number once, in no order. What is old is round, what is
 * new is square, so that nothing is old and square.
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
