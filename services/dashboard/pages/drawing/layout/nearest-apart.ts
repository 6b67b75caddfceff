/** Where something wants to be, and how much it matters. */
export type Wish = { wish: number; weight: number }

/** Some that stand side by side because their wishes overlap: `at` is where the first of them is, in the measure without distances. */
type Block = { at: number; weight: number; count: number }

/**
 * The places nearest to where each wants to be, by the sum of weighted squares, that keep their order and their distances: those whose
 * wishes overlap move together to the middle of what they want (pool adjacent violators). Linear.
 * @param distances the least from each to the next one
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
