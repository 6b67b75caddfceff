import test from 'ava'
import { nextSize, paceNextTo, paces, restAfter } from '#shared/data/background/pace.ts'

const pace = { heldMs: 5, rest: 2 }
const bounds = { first: 20, least: 10, most: 250 }

const steps: [claim: string, size: number, heldMs: number, next: number, rows?: number][] = [
  ['a batch that held its locks too long is followed by a smaller one', 100, 20, 25],
  ['a very slow batch is followed by the smallest', 100, 2_000, 10],
  ['a slow batch of the smallest size is followed by one of the same size', 10, 400, 10],
  ['a quick batch is followed by one that is at most twice as big', 20, 0.2, 40],
  ['a batch of the biggest size is followed by one of the same size', 250, 1, 250],
  ['a batch that took as long as it should is followed by one of the same size', 80, 5, 80],
  ['a batch that had nothing to do is followed by one of the same size', 50, 0, 50, 0],
  ['a batch of few rows is followed by one of the same size', 100, 0.5, 100, 20],
  ['a batch of few rows that took too long is followed by a smaller one', 100, 10, 50, 2],
]

for (const [claim, size, heldMs, next, rows = size] of steps) {
  test(claim, (t) => t.is(nextSize(size, { rows, heldMs }, { pace, bounds }), next))
}

test('the batch after one that ran alone is small at once when others write', (t) => {
  t.is(nextSize(200, { rows: 200, heldMs: paces.alone.heldMs }, { pace: paces.shared, bounds }), 27)
})

test('a rest is in proportion to the work, and lets others write even after the shortest work', (t) => {
  t.is(restAfter(6, 0, pace), 12)
  t.is(restAfter(0.1, 0, pace), 1)
  t.is(restAfter(400, 0, paces.alone), 100)
})

test('during long transactions of others a batch holds its locks for half of its waiting time, within bounds', (t) => {
  t.is(paceNextTo(pace, 2).heldMs, 5)
  t.is(paceNextTo(pace, 40).heldMs, 20)
  t.is(paceNextTo(pace, 4_000).heldMs, 100)
  t.is(paceNextTo({ heldMs: 120, rest: 1 }, 4_000).heldMs, 120)
})

test('no rest is longer than a stop may take', (t) => t.is(restAfter(60_000, 0, pace), 2_000))

test('the time that it waited for others is part of its rest', (t) => {
  t.is(restAfter(6, 5, pace), 7)
  t.is(restAfter(6, 500, pace), 1)
})

test('while others write they get most of the time', (t) => {
  t.true(restAfter(paces.shared.heldMs, 0, paces.shared) >= paces.shared.heldMs)
})
