import test from 'ava'
import { creditsLeft, creditsUsed, isDegraded, monthOf, overdraftOf } from '#shared/domain/plan/rates.ts'

const limits = { maxRequestsPerMonth: 1_000, overdraftPercent: 10 }

test('a month is a month of UTC, from its first millisecond to its last', (t) => {
  t.deepEqual(monthOf(Date.UTC(2026, 10, 30, 23, 59, 59, 999)), {
    number: 202_611,
    start: Date.UTC(2026, 10, 1),
    end: Date.UTC(2026, 11, 1),
  })
  t.is(monthOf(Date.UTC(2026, 11, 31)).end, Date.UTC(2027, 0, 1))
})

test('an overdraft is a percentage of the allowance, in whole requests', (t) => {
  t.is(overdraftOf(limits), 100)
  t.is(overdraftOf({ maxRequestsPerMonth: 15, overdraftPercent: 10 }), 1)
  t.is(overdraftOf({ maxRequestsPerMonth: 15, overdraftPercent: null }), 0)
})

test('credits pay for requests beyond allowance and overdraft', (t) => {
  t.deepEqual(
    [999, 1_100, 1_101, 1_200].map((requests) => creditsUsed(requests, limits)),
    [0, 0, 1, 100],
  )
  t.is(creditsUsed(10 ** 9, { maxRequestsPerMonth: null, overdraftPercent: 10 }), 0)
})

test('a month is used up when allowance, overdraft and credits are, including what is not stored yet', (t) => {
  const use = (requests: number, stored: number, credits: number) => ({
    requests,
    stored: { requests: stored, blocked: 0, credits },
  })
  t.false(isDegraded(use(1_099, 0, 0), limits))
  t.true(isDegraded(use(1_100, 0, 0), limits))
  t.false(isDegraded(use(1_109, 1_000, 10), limits))
  t.true(isDegraded(use(1_110, 1_000, 10), limits))
  t.false(isDegraded(use(1_110, 1_105, 10), limits), 'five were paid when they were stored')
  t.is(creditsLeft(use(1_110, 1_105, 10), limits), 5)
  t.is(creditsLeft(use(5_000, 1_105, 10), limits), 0)
  t.false(isDegraded(use(1_100, 0, 0), { maxRequestsPerMonth: null, overdraftPercent: null }))
})
