import test, { type ExecutionContext } from 'ava'
import { type LeasedJob, startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { takeLease } from '#shared/data/leases/leases.ts'
import { until } from '../../../support/assertions/until.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { testLog } from '../../../support/test-context/test-log.ts'

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const { log, lines } = testLog(t, 'job')
  const start = (owner: string, job: Pick<LeasedJob, 'round'> & Partial<LeasedJob>) => {
    const stop = startLeasedJob({ db, log, name: 'work', owner, everyMs: 60_000, firstAfterMs: 0, ...job })
    t.teardown(stop)
    return stop
  }
  return { db, start, logged: () => lines.map((line) => JSON.parse(line)) }
}

test('one process at a time does the work, and the next one when it is done', async (t) => {
  const { db, start } = await world(t)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  let first = 0
  let second = 0
  const stop = start('a', {
    async round() {
      first++
      await mayEnd
    },
  })
  await until(async () => first === 1)
  start('b', { round: async () => void second++, everyMs: 5 })
  t.is(await takeLease(db, { name: 'work', owner: 'c', ms: 1 }), null)
  t.is(second, 0)
  end()
  await stop()
  await until(async () => second > 0)
})

test('a stop waits for the current step, and no other begins', async (t) => {
  const { db, start } = await world(t)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const answers: boolean[] = []
  const stop = start('a', {
    async round(shouldContinue) {
      answers.push(shouldContinue())
      await mayEnd
      answers.push(shouldContinue())
    },
  })
  await until(async () => answers.length === 1)
  const stopped = stop()
  end()
  await stopped
  t.deepEqual(answers, [true, false])
  t.truthy(await takeLease(db, { name: 'work', owner: 'c', ms: 1 }), 'the lease was released')
})

test('a failed round is logged and tried again', async (t) => {
  const { start, logged } = await world(t)
  let rounds = 0
  start('a', {
    everyMs: 5,
    async round() {
      if (++rounds === 1) throw new Error('disk on fire')
    },
  })
  await until(async () => rounds >= 2)
  t.like(logged()[0], { event: 'job.failed', job: 'work', err: { message: 'disk on fire' } })
})

test('work that outlives its lease ends', async (t) => {
  const { start } = await world(t)
  let ended = false
  start('a', {
    everyMs: 20,
    async round(shouldContinue) {
      await until(async () => !shouldContinue())
      ended = true
    },
  })
  await until(async () => ended)
  t.pass()
})

test('a job without work acquires no lease', async (t) => {
  const { db, start } = await world(t)
  let checks = 0
  let due = false
  let rounds = 0
  start('a', {
    everyMs: 5,
    leaseMs: 60_000,
    isDue: async () => {
      checks++
      return due
    },
    round: async () => void rounds++,
  })
  await until(async () => checks > 3)
  t.is(rounds, 0)
  t.deepEqual(await db.all('select * from leases'), [])
  due = true
  await until(async () => rounds > 0)
})

test('a job whose next work has a known time begins then, and acquires no lease before', async (t) => {
  const { db, start } = await world(t)
  const waits = [20, 20, 0]
  const held: number[] = []
  let rounds = 0
  start('a', {
    async dueInMs() {
      held.push((await db.all('select * from leases')).length)
      return waits.shift() ?? null
    },
    round: async () => void rounds++,
  })
  await until(async () => rounds === 1)
  t.deepEqual(held.slice(0, 3), [0, 0, 0])
})

test('a job that is woken starts at once; if it is woken during a round, right after it', async (t) => {
  const { start } = await world(t)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  let rounds = 0
  let wake = () => {}
  const stop = start('a', {
    onWake: (start) => {
      wake = start
    },
    async round() {
      if (++rounds === 2) await mayEnd
    },
  })
  await until(async () => rounds === 1)
  wake()
  await until(async () => rounds === 2)
  wake()
  wake()
  t.is(rounds, 2)
  end()
  await until(async () => rounds === 3)
  await stop()
  wake()
  t.is(rounds, 3)
})
