import test from 'ava'
import { backlogAfter, emptyBacklog, heldIn, planGiving, roomForHeld } from '#shared/domain/webhook/held.ts'

const backlog = (held: number, webhookId = 'w') => {
  return { webhookId, accountId: 'a', first: 100, next: 100 + held, missing: false }
}
const limits = { maxWaiting: 1_000, room: 500 }

test('the oldest held events of a webhook are released when half of the bound is free, up to the bound', (t) => {
  const given = (waiting: number, held: number) =>
    planGiving([{ backlog: backlog(held), waiting }], { ...limits, room: 1_000 }).map(({ count }) => count)
  t.deepEqual(given(501, 2_000), [])
  t.deepEqual(given(500, 2_000), [500])
  t.deepEqual(given(500, 20), [20])
  t.deepEqual(given(0, 2_000), [1_000])
})

test('events are released from the front', (t) => {
  const [giving] = planGiving([{ backlog: backlog(700), waiting: 500 }], limits)
  t.like(giving && backlogAfter(giving), { first: 600, next: 800 })
})

test('a webhook has caught up when no event is held and half of the bound is free', (t) => {
  const caughtUp = (waiting: number, held: number) =>
    planGiving([{ backlog: backlog(held), waiting }], limits).map((giving) => giving.caughtUp)
  t.deepEqual(caughtUp(600, 0), [])
  t.deepEqual(caughtUp(500, 0), [true])
  t.deepEqual(caughtUp(100, 400), [true])
  t.deepEqual(caughtUp(101, 400), [false])
  const [giving] = planGiving([{ backlog: backlog(0), waiting: 0 }], limits)
  t.is(giving && backlogAfter(giving), null)
})

test('if a cycle has no room for all, webhooks with the fewest waiting deliveries come first, and the others are owed a turn', (t) => {
  const behind = [300, 0, 200].map((waiting) => ({ backlog: backlog(900, `w${waiting}`), waiting }))
  const givings = planGiving(behind, { maxWaiting: 1_000, room: 1_000 })
  t.deepEqual(
    givings.map((giving) => [giving.backlog.webhookId, giving.count, giving.owed]),
    [
      ['w0', 900, false],
      ['w200', 100, true],
      ['w300', 0, true],
    ],
  )
})

test('one cycle releases events for at most 20 webhooks', (t) => {
  const behind = Array.from({ length: 25 }, (_, n) => ({ backlog: backlog(5, `w${n}`), waiting: 0 }))
  const givings = planGiving(behind, limits)
  t.is(givings.filter(({ count }) => count === 5).length, 20)
  t.is(givings.filter(({ count, owed }) => count === 0 && owed).length, 5)
})

test('new events get at most half of a cycle', (t) => {
  t.is(roomForHeld(0, 500), 500)
  t.is(roomForHeld(3, 500), 497)
  t.is(roomForHeld(500, 500), 250)
})

test('a later episode has other positions', (t) => {
  const [early, late] = [1_000, 1_001].map((now) => emptyBacklog({ webhookId: 'w', accountId: 'a' }, now))
  t.is(early && heldIn(early), 0)
  t.true((late?.first ?? 0) >= (early?.next ?? 0) + 1_000)
})
