import test from 'ava'
import { watchRetention } from '#services/webhook-dispatcher/jobs/retention-watch.ts'
import type { Logger } from '#shared/log/logger.ts'

const minute = 60_000
const hour = 60 * minute

function world() {
  let now = 0
  const logged: unknown[] = []
  const log = Object.assign((event: string, fields?: object) => void logged.push({ event, ...fields }), {
    isEnabled: () => true,
  }) as Logger
  const watch = watchRetention({ log, what: 'events', now: () => now })
  return {
    watch,
    logged,
    pass: (ms: number) => (now += ms),
    hoursBehind: () => (watch.behindSeconds() ?? Number.NaN) / 3_600,
  }
}

test('the delay grows from the beginning of the last completed sweep', (t) => {
  const { watch, pass, hoursBehind } = world()
  t.is(watch.behindSeconds(), null)
  watch.working()
  pass(hour / 2)
  watch.ended()
  t.is(hoursBehind(), 0.5)
  pass(hour)
  watch.working()
  t.is(hoursBehind(), 1.5)
  pass(hour / 2)
  watch.ended()
  t.is(hoursBehind(), 0.5)
})

test('a sweep of more than an hour is logged, once an hour, with its deletions since the last line', (t) => {
  const { watch, logged, pass } = world()
  watch.working()
  watch.ended()
  pass(hour)
  for (let n = 0; n < 125; n++) {
    watch.working()
    pass(minute)
    watch.deleted(10)
  }
  t.deepEqual(logged, [
    { event: 'retention.behind', what: 'events', behindMs: 2 * hour, deleted: 600 },
    { event: 'retention.behind', what: 'events', behindMs: 3 * hour, deleted: 600 },
  ])
})

test('completed sweeps are not logged, however much they delete', (t) => {
  const { watch, logged, pass } = world()
  for (let n = 0; n < 10; n++) {
    watch.working()
    pass(40 * minute)
    watch.deleted(1_000_000)
    watch.ended()
  }
  t.deepEqual(logged, [])
})

test('a process that has not swept for a long time reports nothing, because another one sweeps', (t) => {
  const { watch, pass } = world()
  watch.working()
  watch.ended()
  pass(2 * hour + 1)
  t.is(watch.behindSeconds(), null)
  watch.working()
  t.is(watch.behindSeconds(), 0)
})
