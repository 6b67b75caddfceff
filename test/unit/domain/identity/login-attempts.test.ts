import test from 'ava'
import { type LoginAttempts, nextLoginWait } from '#shared/domain/identity/login-attempts.ts'

const start = 1_700_000_000_000
const hours = (n: number) => n * 3_600_000

/** The state after more attempts, each at the end of the previous wait. */
function countMore(times: number, before: LoginAttempts | null = null): LoginAttempts {
  const { counted } = nextLoginWait(before, Math.max(start, before?.blockedUntil ?? 0))
  if (!counted) throw new Error('the attempt came too early')
  return times === 1 ? counted : countMore(times - 1, counted)
}

test('five attempts need no wait, then each starts a wait, from 1 s, doubling to 15 minutes', (t) => {
  let attempts: LoginAttempts | null = null
  let now = start
  const waits: number[] = []
  for (let n = 0; n < 18; n++) {
    attempts = countMore(1, attempts)
    waits.push(attempts.blockedUntil === 0 ? 0 : (attempts.blockedUntil - now) / 1_000)
    now = Math.max(now, attempts.blockedUntil)
  }
  t.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
})

test('no number of attempts makes a wait longer than 15 minutes', (t) => {
  const many = { failures: 1e9, blockedUntil: 0, forgetAt: start + 1 }
  t.is(nextLoginWait(many, start).counted?.blockedUntil, start + 900_000)
})

test('an attempt during a wait waits for the rest of it, and is not counted', (t) => {
  const attempts = countMore(6)
  t.deepEqual(nextLoginWait(attempts, attempts.blockedUntil - 1), { waitMs: 1, counted: null })
  t.like(nextLoginWait(attempts, attempts.blockedUntil), { waitMs: 0, counted: { failures: 7 } })
})

test('attempts are forgotten twelve hours after the last one', (t) => {
  const attempts = countMore(4)
  t.is(attempts.forgetAt, start + hours(12))
  t.is(nextLoginWait(attempts, attempts.forgetAt - 1).counted?.failures, 5)
  t.deepEqual(nextLoginWait(attempts, attempts.forgetAt), {
    waitMs: 0,
    counted: { failures: 1, blockedUntil: 0, forgetAt: start + hours(24) },
  })
})
