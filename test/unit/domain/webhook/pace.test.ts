import test from 'ava'
import { attemptBeginsAt, claimableAt, claimLeadMs, isTooEarly } from '#shared/domain/webhook/pace.ts'

const now = 1_700_000_000_000

test('without a bound, and for the first attempt, there is no wait', (t) => {
  t.is(attemptBeginsAt({ maxRequestsPerSecond: null, lastDeliveryAt: now }, now), now)
  t.is(attemptBeginsAt({ maxRequestsPerSecond: 1, lastDeliveryAt: null }, now), now)
  t.is(claimableAt({ maxRequestsPerSecond: null, lastDeliveryAt: now }, now), null)
})

test('attempts are spaced so that no second has more of them than the bound', (t) => {
  for (const maxRequestsPerSecond of [1, 3, 7, 10, 60, 250, 999, 1_000]) {
    const begun: number[] = []
    let lastDeliveryAt: number | null = null
    // Claims at all kinds of times: early, late, several at once.
    for (let at = now, n = 0; begun.length < 2_100; n++, at += [0, 1, 2, 0, 5, 37][n % 6] ?? 0) {
      const pace = { maxRequestsPerSecond, lastDeliveryAt }
      if (isTooEarly(pace, at)) at = claimableAt(pace, at) ?? at
      lastDeliveryAt = attemptBeginsAt(pace, at)
      begun.push(lastDeliveryAt)
    }
    const crowded = begun.filter((at, n) => (begun[n + maxRequestsPerSecond] ?? Number.POSITIVE_INFINITY) < at + 1_000)
    t.deepEqual(crowded, [], `${maxRequestsPerSecond}`)
  }
})

test('a claim at the earliest time that the bound allows loses nothing: the attempt begins when the bound allows it', (t) => {
  const pace = { maxRequestsPerSecond: 4, lastDeliveryAt: now }
  t.true(isTooEarly(pace, now + 1))
  const at = claimableAt(pace, now + 1)
  t.is(at, now + 250 - claimLeadMs)
  t.false(isTooEarly(pace, at ?? 0))
  t.is(attemptBeginsAt(pace, at ?? 0), now + 250)
})

test('a clock that was set back delays an attempt by no more than the minimum interval', (t) => {
  const pace = { maxRequestsPerSecond: 2, lastDeliveryAt: now + 86_400_000 }
  t.is(attemptBeginsAt(pace, now), now + claimLeadMs + 500)
})
