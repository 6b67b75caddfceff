import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { forUpdate } from '#shared/data/sql/statements.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import { race } from '../../../support/databases/race.ts'

const insert = 'insert into leases (name, owner, lease_until, fence) values (?, ?, ?, ?)'

/** A row that two processes compete for. */
async function twoProcesses(t: ExecutionContext): Promise<[Database, Database]> {
  const { db, dataDir } = await testDatabase(t)
  for (const name of ['a', 'b']) await db.run(insert, [name, null, 0, 0])
  return [db, await anotherConnection(t, dataDir)]
}

const fences = (db: Database) => db.all<{ fence: number }>('select fence from leases order by name')

test('a failed transaction leaves nothing, earlier writes stay, and the next one runs', async (t) => {
  const { db } = await testDatabase(t)
  await db.run(insert, ['before', null, 0, 0])
  const failing = db.transaction(async (tx) => {
    await tx.run(insert, ['within', null, 0, 0])
    throw new Error('changed my mind')
  })
  await t.throwsAsync(failing, { message: 'changed my mind' })
  await db.transaction((tx) => tx.run(insert, ['next', null, 0, 0]))
  t.deepEqual(await db.all('select name from leases order by name'), [{ name: 'before' }, { name: 'next' }])
})

test('a statement that cannot be prepared fails only its caller', async (t) => {
  const { db } = await testDatabase(t)
  await t.throwsAsync(db.all('select nonsense from nowhere'))
  await t.throwsAsync(db.run('nonsense'))
  t.is((await db.all('select 1 as one')).length, 1)
})

test('a duplicate key is distinguished from every other error', async (t) => {
  const { db } = await testDatabase(t)
  await db.run(insert, ['same', null, 0, 0])
  t.true(isUniqueViolation(await t.throwsAsync(db.run(insert, ['same', null, 0, 0]))))
  t.true(isUniqueViolation(await t.throwsAsync(db.transaction((tx) => tx.run(insert, ['same', null, 0, 0])))))
  t.false(isUniqueViolation(await t.throwsAsync(db.run(insert, ['other', null, null, 0]))))
  t.false(isUniqueViolation(await t.throwsAsync(db.run('select nothing from nowhere'))))
})

test('steps run in order, and each returns its result', async (t) => {
  const { db } = await testDatabase(t)
  const answers = await db.transaction((tx) =>
    tx.pipeline([
      () => tx.run(insert, ['a', null, 0, 0]),
      () => tx.pipeline([() => tx.run(insert, ['b', null, 0, 1]), () => tx.run('update leases set fence = fence + 1')]),
      () => tx.all('select name, fence from leases order by name'),
      () => tx.run('delete from leases'),
      () => tx.get('select name from leases'),
    ]),
  )
  const rows = [
    { name: 'a', fence: 1 },
    { name: 'b', fence: 2 },
  ]
  t.deepEqual(answers, [1, [1, 2], rows, 2, undefined])
})

test('of several failing steps the first error is thrown, and nothing is written', async (t) => {
  const { db } = await testDatabase(t)
  const failing = db.transaction((tx) =>
    tx.pipeline([
      () => tx.run(insert, ['a', null, 0, 0]),
      () => tx.pipeline([() => tx.pipeline([() => tx.run(insert, ['a', null, 0, 0])]), () => tx.run('nonsense')]),
      () => tx.run(insert, ['b', null, 0, 0]),
      () => tx.run('select nothing from nowhere'),
    ]),
  )
  t.true(isUniqueViolation(await t.throwsAsync(failing)))
  t.deepEqual(await db.all('select name from leases'), [])
  t.is(await db.transaction((tx) => tx.run(insert, ['next', null, 0, 0])), 1)
})

test('two processes that lock the same rows in opposite order both succeed', async (t) => {
  const databases = await twoProcesses(t)
  const raise = (db: Database, names: readonly string[]) =>
    db.transaction(async (tx) => {
      for (const name of names) {
        await tx.get(sql`select fence from leases where name = ${name} ${forUpdate}`)
        await tx.run('update leases set fence = fence + 1 where name = ?', [name])
      }
    })
  const rounds = 3
  // In rounds: on Postgres a deadlock takes a second, and a transaction that loses five times in a row fails.
  for (let round = 0; round < rounds; round++) {
    await Promise.all(databases.map((db, position) => raise(db, position === 0 ? ['a', 'b'] : ['b', 'a'])))
  }
  t.deepEqual(await fences(databases[0]), [{ fence: 2 * rounds }, { fence: 2 * rounds }])
})

test('no other transaction changes rows that are locked', async (t) => {
  const [db, other] = await twoProcesses(t)
  const addOne = (on: Database) =>
    on.transaction(async (tx) => {
      const row = await tx.get<{ fence: number }>(sql`select fence from leases where name = ${'a'} ${forUpdate}`)
      await tx.run('update leases set fence = ? where name = ?', [(row?.fence ?? 0) + 1, 'a'])
    })
  await race(100, (n) => addOne(n % 2 === 0 ? db : other))
  t.deepEqual((await fences(db))[0], { fence: 100 })
})

test('a reader sees committed data and waits for no writer', async (t) => {
  const [db, other] = await twoProcesses(t)
  await db.transaction(async (tx) => {
    await tx.run('update leases set fence = 7 where name = ?', ['a'])
    t.deepEqual((await fences(other))[0], { fence: 0 })
    t.deepEqual((await tx.all<{ fence: number }>('select fence from leases order by name'))[0], { fence: 7 })
  })
  t.deepEqual((await fences(other))[0], { fence: 7 })
})

test('a committed write is seen by every other connection at once', async (t) => {
  const [db, other] = await twoProcesses(t)
  for (let n = 0; n < 50; n++) {
    await db.run(insert, [`k${n}`, null, 0, 0])
    t.is((await other.all('select 1 from leases where name = ?', [`k${n}`])).length, 1)
  }
})

test('the time of the database is the same through a whole transaction, and continues after it', async (t) => {
  const { db } = await testDatabase(t)
  const within = await db.transaction(async (tx) => [await tx.now(), await tx.now()])
  t.is(within[0], within[1])
  t.true((await db.now()) >= (within[0] ?? 0))
})

test("the database's clock shows the time of day", async (t) => {
  const { db } = await testDatabase(t)
  const inaccuracyMs = 1_000 // the database may run on another machine
  const before = Date.now() - inaccuracyMs
  const now = await db.now()
  t.true(before <= now && now <= Date.now() + inaccuracyMs)
})

const onServer = testBackend === 'sqlite' ? test.skip : test

onServer('a transaction that continues after a failed statement never counts as committed', async (t) => {
  const { db } = await testDatabase(t)
  await db.run(insert, ['same', null, 0, 0])
  const going = db.transaction(async (tx) => {
    await tx.run(insert, ['first', null, 0, 0])
    await tx.run(insert, ['same', null, 0, 0]).catch(() => {})
  })
  // MySQL rolls back one statement, Postgres all of them: the reported outcome must match the stored state.
  const outcome = await going.then(
    () => 'committed',
    () => 'failed',
  )
  const rows = await db.all('select name from leases where name = ?', ['first'])
  t.is(rows.length, outcome === 'committed' ? 1 : 0)
})

onServer(
  'while every connection is in use a call fails with SERVICE_UNAVAILABLE after a bounded wait; after that calls succeed',
  async (t) => {
    const { dataDir } = await testDatabase(t)
    const db = await anotherConnection(t, dataDir, { pool: 1 })
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      await tx.run(insert, ['held', null, 0, 0])
      held.resolve()
      await released.promise
    })
    await held.promise
    await t.throwsAsync(db.all('select 1 as one'), { name: 'SERVICE_UNAVAILABLE' })
    released.resolve()
    await holding
    t.deepEqual(await db.all('select name from leases'), [{ name: 'held' }])
  },
)

test('rows whose texts together exceed what a server accepts in one statement are inserted by several', async (t) => {
  const { db } = await testDatabase(t)
  const body = 'x'.repeat(1024 * 1024)
  const payloads = rowMapper<number>('event_payloads', { event_id: String, body: () => body })
  await db.transaction((tx) => insertRows(tx, payloads(Array.from({ length: 20 }, (_, n) => n))))
  t.deepEqual(await db.get('select count(*) as n, min(length(body)) as length from event_payloads'), {
    n: 20,
    length: 1024 * 1024,
  })
})

test('rows are inserted by their own columns, even after an insert with as many other columns', async (t) => {
  const { db } = await testDatabase(t)
  const untilFirst = rowMapper<string>('leases', { name: (name) => name, lease_until: () => 1, fence: () => 2 })
  const fenceFirst = rowMapper<string>('leases', { name: (name) => name, fence: () => 1, lease_until: () => 2 })
  await db.transaction(async (tx) => {
    await insertRows(tx, untilFirst(['a']))
    await insertRows(tx, fenceFirst(['b']))
  })
  t.deepEqual(await db.all('select name, lease_until, fence from leases order by name'), [
    { name: 'a', lease_until: 1, fence: 2 },
    { name: 'b', lease_until: 2, fence: 1 },
  ])
})

const leases = (db: Database) => db.all('select name, fence from leases order by name')
const lease = (name: string, fence: number) =>
  sql`insert into leases (name, owner, lease_until, fence) values (${name}, ${null}, ${0}, ${fence})`

if (testBackend !== 'mysql') {
  test('statements that are written together are all written, in order', async (t) => {
    const { db } = await testDatabase(t)
    await db.run(lease('a', 1))
    const writes = [
      { statement: lease('b', 2) },
      { statement: sql`update leases set fence = fence + 1 where fence < ${2}`, counted: true, rows: 1 },
      { statement: lease('c', 3) },
    ]
    t.is(await db.atomicBatch?.(writes), 1)
    t.deepEqual(await leases(db), [
      { name: 'a', fence: 2 },
      { name: 'b', fence: 2 },
      { name: 'c', fence: 3 },
    ])
  })

  test('if one of the statements that are written together fails, or changes other rows than it must, none is written', async (t) => {
    const { db } = await testDatabase(t)
    await db.run(lease('a', 1))
    const raise = sql`update leases set fence = fence + 1 where fence = ${7}`
    const wrong = db.atomicBatch?.([
      { statement: lease('b', 2) },
      { statement: raise, rows: 1 },
      { statement: lease('c', 3) },
    ])
    t.is(await wrong, null)
    const taken = db.atomicBatch?.([{ statement: lease('b', 2) }, { statement: lease('a', 3) }])
    t.true(isUniqueViolation(await t.throwsAsync(async () => taken)))
    t.deepEqual(await leases(db), [{ name: 'a', fence: 1 }])
  })

  test('however many sequences of statements are written together, each stays unchanged', async (t) => {
    const { db } = await testDatabase(t)
    const sequence = (length: number) => [
      { statement: sql`delete from leases` },
      ...Array.from({ length }, (_, n) => ({ statement: lease(`lease-${n}`, n) })),
    ]
    for (const length of [...Array.from({ length: 130 }, (_, n) => n + 1), 1, 3]) {
      await db.atomicBatch?.(sequence(length))
      t.is((await leases(db)).length, length)
    }
  })
}

test('every value of many rows is stored like that of one', async (t) => {
  const { db } = await testDatabase(t)
  const texts = ['', ' ', 'soup ', 'é🥣\ufe0f𝒮', '{"a,b"}', '\\ \' " ? $1 \n', 'null', 'x'.repeat(70_000)]
  const numbers = [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
  const ids = Array.from({ length: 600 }, (_, n) => `${n}`.padStart(4, '0'))
  const one = (values: readonly unknown[], id: string) => values[Number(id) % values.length]
  const rows = rowMapper<string>('deliveries', {
    id: (id) => id,
    account_id: () => 'a',
    webhook_id: () => 'w',
    event_id: (id) => id,
    event: () => 'item.created',
    list_id: () => 'l',
    item_id: () => null,
    request_id: () => 'r',
    status: () => 'pending',
    attempts: () => true,
    created_at: (id) => one(numbers, id) as number,
    updated_at: () => 1,
    series_attempts: () => false,
    response_body: (id) => one([...texts, null], id) as string,
    response_status: (id) => one([null, 200], id) as number,
  })
  await db.transaction((tx) => insertRows(tx, rows(ids)))
  const stored = await db.all(
    'select id, attempts, created_at, item_id, response_body, response_status, series_attempts from deliveries order by id',
  )
  t.deepEqual(
    stored,
    ids.map((id) => ({
      id,
      attempts: 1,
      created_at: one(numbers, id),
      item_id: null,
      response_body: one([...texts, null], id),
      response_status: one([null, 200], id),
      series_attempts: 0,
    })),
  )
})
