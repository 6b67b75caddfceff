import test from 'ava'
import { countDelivered, readFailures } from '#shared/data/deliveries/delivery-hours.ts'
import { countChanges, readListChanges } from '#shared/data/events/event-hours.ts'
import { countRuns, readRunCauses } from '#shared/data/flows/flow-run-hours.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { countHours } from '#shared/data/pages/hours.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { hourMs, lastHours, maxHourly } from '#shared/domain/hours.ts'
import { logEvent, logStory } from '../../../support/databases/contents/events.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { addDeliveries, makeList, makeWebhook, testId, testIdAt } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const now = Date.UTC(2026, 2, 1, 12, 30)
const hours = lastHours(now)
const present = hours.at(-1) ?? 0

/** The counts of the last hours, the current one last. */
const lastOf = (counts: readonly number[], most = 3) => counts.slice(-most)

test('changes of items are counted by their hour, only for the account', async (t) => {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  await logStory(db, list, { steps: ['created', 'updated'], at: present })
  await logStory(db, list, { steps: ['created'], at: present - 1 })
  await logStory(db, list, { steps: ['created'], at: (hours[0] ?? 0) - 1 })
  await logStory(db, await makeList(db), { steps: ['created'], at: present })
  t.deepEqual(lastOf(await countChanges(db, list.accountId, hours)), [0, 1, 2])
  t.is((await countChanges(db, list.accountId, hours)).length, 24)
})

test('completed deliveries are counted by the hour in which they began, and failures are read with their causes', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const keys = [await makeWebhook(db, { accountId }), await makeWebhook(db, { accountId })].map((webhookId) => ({
    accountId,
    webhookId,
  }))
  const webhookIds = keys.map(({ webhookId }) => webhookId)
  for (const key of keys) {
    await addDeliveries(db, key, [
      { id: testIdAt(present + 5), status: 'failed', error: 'timeout' },
      { id: testIdAt(present + 6), status: 'pending' },
      { id: testIdAt(present + 7), event: 'ping', status: 'failed', error: 'dns' },
      { id: testIdAt(present - 1), status: 'succeeded' },
      { id: testIdAt((hours[0] ?? 0) - 1), status: 'failed', error: 'tls' },
    ])
  }
  t.deepEqual(lastOf(await countDelivered(db, { webhookIds, status: 'failed' }, hours)), [0, 0, 2])
  t.deepEqual(lastOf(await countDelivered(db, { webhookIds, status: 'succeeded' }, hours)), [0, 2, 0])
  t.deepEqual(lastOf(await countDelivered(db, { webhookIds: [], status: 'failed' }, hours)), [0, 0, 0])
  const failures = await readFailures(db, webhookIds, hours[0] ?? 0)
  t.deepEqual(
    failures.map(({ error }) => error),
    ['timeout', 'timeout'],
  )
  t.deepEqual(await readFailures(db, [], 0), [])
})

test('runs of flows are counted by the hour in which they began', async (t) => {
  const { db } = await testDatabase(t)
  const flow = await makeFlow(db, flowDefinition({ accountId: 'a' }, flowDocument({ name: 'one', path: 'one' })))
  const run = (at: number, status: 'succeeded' | 'failed' | 'refused') =>
    flowRun(flow, { id: testIdAt(at), createdAt: at, status })
  const runs = [run(present, 'failed'), run(present + 1, 'refused'), run(present - hourMs, 'succeeded')]
  await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  t.deepEqual(lastOf(await countRuns(db, { accountId: 'a', statuses: ['failed', 'refused'] }, hours)), [0, 0, 2])
  t.deepEqual(lastOf(await countRuns(db, { accountId: 'a', statuses: ['succeeded'] }, hours)), [0, 1, 0])
})

test('causes of failed or rejected runs are reported by flow, status and error code', async (t) => {
  const { db } = await testDatabase(t)
  const make = (name: string, accountId = 'a') =>
    makeFlow(db, flowDefinition({ accountId }, flowDocument({ name, path: name })))
  const [one, two, foreign] = [await make('one'), await make('two'), await make('foreign', 'b')]
  const run = (flow: typeof one, status: 'succeeded' | 'failed' | 'refused', errorCode: string | null, at = present) =>
    flowRun(flow, { id: testIdAt(at), createdAt: at, status, errorCode })
  const runs = [
    ...[0, 1, 2].map(() => run(two, 'failed', 'LIMIT')),
    ...[0, 1].map(() => run(one, 'failed', 'LIMIT')),
    run(one, 'refused', 'VALIDATION_FAILED'),
    run(two, 'failed', null),
    run(one, 'succeeded', null),
    run(one, 'failed', 'TIMEOUT', (hours[0] ?? 0) - 1),
    run(foreign, 'failed', 'LIMIT'),
  ]
  await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  const causes = await readRunCauses(db, 'a', hours[0] ?? 0)
  t.deepEqual(causes.slice(0, 2), [
    { flowId: two.id, status: 'failed', code: 'LIMIT', count: 3 },
    { flowId: one.id, status: 'failed', code: 'LIMIT', count: 2 },
  ])
  t.deepEqual(
    causes.slice(2).toSorted((a, b) => (a.flowId < b.flowId ? -1 : 1)),
    [
      { flowId: one.id, status: 'refused', code: 'VALIDATION_FAILED', count: 1 },
      { flowId: two.id, status: 'failed', code: null, count: 1 },
    ],
  )
})

test('in an hour with many rows a limited number is counted, and no more are read', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  await addDeliveries(
    db,
    key,
    Array.from({ length: maxHourly + 1 }, (_, n) => ({ id: testIdAt(present + n), status: 'succeeded' })),
  )
  const counts = await countHours(db, [present], () => sql`from deliveries where webhook_id = ${key.webhookId}`)
  t.deepEqual(counts, [maxHourly])
})

test('the lists changed last are found by the newest events of themselves, their items and their indexes', async (t) => {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  const { accountId, listId } = list
  const [other, gone] = [await addList(db, accountId, { pathName: 'others' }), testId()]
  const log = (type: 'list-updated' | 'list-deleted' | 'index-built', of: string, createdAt: number) =>
    logEvent(db, {
      accountId,
      stream: type === 'index-built' ? 'index' : 'list',
      type,
      modelId: type === 'index-built' ? testId() : of,
      listId: of,
      createdAt,
    })
  await log('list-updated', listId, now - 9)
  await log('index-built', other, now - 8)
  await log('list-deleted', gone, now - 7)
  t.deepEqual(await readListChanges(db, accountId, 10), [
    { listId: other, changedAt: now - 8 },
    { listId, changedAt: now - 9 },
  ])
  await logStory(db, list, { steps: ['created'], at: now })
  t.deepEqual(await readListChanges(db, accountId, 1), [{ listId, changedAt: now }])
})
