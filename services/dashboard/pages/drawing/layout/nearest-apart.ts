/** A preferred position, and its weight. */
export type Wish = { wish: number; weight: number }

/** A group that is placed side by side because the preferred positions overlap: `at` is the position of its first element, without the distances. */
type Block = { at: number; weight: number; count: number }

/**
 * The positions that minimize the weighted sum of squared distances to the preferred positions, and keep the order and the minimum
 * distances. Elements whose preferred positions overlap move together to their mean (pool adjacent violators). Linear.
 * @param distances the minimum distance from each to the next one
 */
export function nearestApart(wishes: readonly Wish[], distances: readonly number[]): number[] {
  const offsets: number[] = []
  let offset = 0
  for (const n of wishes.keys()) {
    offsets.push(offset)
    offset += distances[n] ?? 0
  }
  const blocks: Block[] = []
  for (const [n, { wish, weight }] of wishes.entries()) {
    let block: Block = { at: wish - (offsets[n] ?? 0), weight, count: 1 }
    for (let last = blocks.at(-1); last && last.at > block.at; last = blocks.at(-1)) {
      const together = last.weight + block.weight
      block = {
        at: (last.at * last.weight + block.at * block.weight) / together,
        weight: together,
        count: last.count + block.count,
      }
      blocks.pop()
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ at, count }) => Array<number>(count).fill(at)).map((at, n) => at + (offsets[n] ?? 0))
}
