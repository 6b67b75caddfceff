import test from 'ava'
import { nextBatchSize } from '#shared/data/batch-size.ts'

const steps: [claim: string, items: number, heldMs: number, next: number][] = [
  ['a batch that held the lock too long is followed by a smaller one', 100, 20, 25],
  ['a very slow one by the smallest', 100, 2_000, 10],
  ['a slow one of the smallest by none that is smaller', 10, 400, 10],
  ['a quick one by one that is twice as big at most', 20, 0.2, 40],
  ['the biggest by none that is bigger', 250, 1, 250],
  ['one that took as long as it should by one like it', 80, 5, 80],
]

for (const [claim, items, heldMs, next] of steps) {
  test(claim, (t) => t.is(nextBatchSize(items, heldMs), next))
}
