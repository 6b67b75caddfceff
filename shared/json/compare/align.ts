/** Positions in two arrays whose elements are the same, or of which one took the other's place. */
export type Pair = { before: number; after: number }

/** The remaining pairs of elements that may be compared, which bounds the cost of comparing two values. */
export type AlignBudget = { cells: number }

/** Elements of an array beyond which, in what differs, only positions decide which belong together. */
const most = 2_000

export function alignBudget(): AlignBudget {
  return { cells: 4 * most * most }
}

/**
 * Pairs the elements of two arrays, in ascending order in both: the longest common subsequence of equal texts, and between its parts by
 * position. Elements without a pair were removed or added.
 */
export function alignElements(before: readonly string[], after: readonly string[], budget: AlignBudget): Pair[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  const ends = { before: before.length - same, after: after.length - same }
  const middle = [...commonPairs(before.slice(start, ends.before), after.slice(start, ends.after), budget), null]
  const pairs = Array.from({ length: start }, (_, n) => ({ before: n, after: n }))
  let last = { before: start, after: start }
  for (const pair of middle) {
    const next = pair ? { before: pair.before + start, after: pair.after + start } : ends
    for (; last.before < next.before && last.after < next.after; last = after1(last)) pairs.push(last)
    if (pair) pairs.push(next)
    last = after1(next)
  }
  for (let n = 0; n < same; n++) pairs.push({ before: ends.before + n, after: ends.after + n })
  return pairs
}

const after1 = ({ before, after }: Pair): Pair => ({ before: before + 1, after: after + 1 })

/** The longest common sequence. None is looked for in what is too long. */
function commonPairs(before: readonly string[], after: readonly string[], budget: AlignBudget): Pair[] {
  const cells = before.length * after.length
  if (before.length > most || after.length > most || cells > budget.cells) return []
  budget.cells -= cells
  const numbersOf = createNumbering()
  const left = numbersOf(before)
  const right = numbersOf(after)
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const isSame = left[i] === right[j]
      lengths[i * width + j] = isSame ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.push({ before: i++, after: j++ })
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** Gives equal texts equal numbers, which are compared faster. */
function createNumbering(): (texts: readonly string[]) => Uint32Array {
  const numbers = new Map<string, number>()
  return (texts) =>
    Uint32Array.from(texts, (text) => {
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    })
}
