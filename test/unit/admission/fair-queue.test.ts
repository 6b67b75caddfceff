import test from 'ava'
import { createFairQueue } from '#shared/admission/fair-queue.ts'

const roomy = { entries: 100, size: 1_000 }

test('accounts take turns, each in the order of its arrivals', (t) => {
  const queue = createFairQueue<string>({ all: roomy, account: roomy })
  for (const entry of ['a1', 'a2', 'a3']) queue.add('a', entry, 1)
  queue.add('b', 'b1', 1)
  t.is(queue.next(), 'a1')
  for (const entry of ['b2', 'c1']) queue.add(entry.slice(0, 1), entry, 1)
  t.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => queue.next()),
    ['b1', 'a2', 'c1', 'b2', 'a3', undefined],
  )
})

test('an account that is not served now keeps its place', (t) => {
  const queue = createFairQueue<string>({ all: roomy, account: roomy })
  for (const entry of ['a1', 'b1', 'b2']) queue.add(entry.slice(0, 1), entry, 1)
  const but = (skipped: string) => queue.next((account) => account !== skipped)
  t.deepEqual([but('a'), queue.next(), but('b'), queue.next()], ['b1', 'a1', undefined, 'b2'])
})

test('the number of entries is limited, for one account and for all', (t) => {
  const queue = createFairQueue<number>({ all: { ...roomy, entries: 3 }, account: { ...roomy, entries: 2 } })
  t.deepEqual(
    ['a', 'a', 'a', 'b', 'b'].map((account, n) => queue.add(account, n, 1)),
    [true, true, false, true, false],
  )
  t.is(queue.waiting(), 3)
  queue.next()
  t.true(queue.add('a', 5, 1))
})

test('the size of entries is limited, for one account and for all', (t) => {
  const queue = createFairQueue<number>({ all: { ...roomy, size: 30 }, account: { ...roomy, size: 20 } })
  t.deepEqual(
    ['a', 'a', 'b', 'b', 'b'].map((account, n) => queue.add(account, n, n === 1 ? 11 : 10)),
    [true, false, true, true, false],
  )
  queue.next()
  t.true(queue.add('a', 5, 10))
})
