import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox/outbox.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { beginListenerEpoch, storeWebhookFilters } from '#shared/data/webhooks/webhooks.ts'
import type { SavedFilter } from '#shared/domain/webhook/where.ts'
import { itemChange, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const title: SavedFilter = { index: 'title', pointer: '/title', valueType: 'string', alias: false, source: 'eq:soup' }
const payloadOf = (titles: string[]) =>
  JSON.stringify({ data: Object.fromEntries(titles.map((title, n) => [n ? 'previous' : 'item', { data: { title } }])) })

async function kitchen(db: Database) {
  const at = await makeList(db)
  const [all, soups] = [await makeWebhook(db, at), await makeWebhook(db, at)]
  await db.transaction(async (tx) => {
    await beginListenerEpoch(tx, at.accountId)
    const key = { accountId: at.accountId, webhookId: soups }
    const saved = { [at.listId]: [{ or: [[title], [{ ...title, source: 'eq:broth' }]] }] }
    await storeWebhookFilters(tx, { ...key, saved })
  })
  return { at, all, soups }
}

/** Commits a change for each payload. @returns the ids of its events */
async function commit(db: Database, at: { accountId: string; listId: string }, payloads: string[]): Promise<string[]> {
  const committer = createCommitter(db, { announce() {} })
  const changes = payloads.map((payload) => itemChange(at, { payload }))
  for (const change of changes) await committer.commit(change)
  return changes.map(({ event }) => event.id)
}

async function cycle(db: Database, outbox: OutboxSelection) {
  const work = { settlements: [], outbox, slots: { fast: 4, slow: 4 }, claimDue: false }
  const rules = {
    retrySeconds: [30],
    disableAfter: 20,
    maxWaiting: 1_000,
    maxHeld: 1_000,
    newId: testId,
    listeners: createListeners(),
  }
  return runCycle(db, work, { owner: 'me', leaseMs: 30_000 }, rules)
}

const eventsOf = async (db: Database, webhookId: string) =>
  (await db.all('select event_id from deliveries where webhook_id = ? order by event_id', [webhookId])).map(
    ({ event_id }) => String(event_id),
  )

for (const [way, selection] of [
  ['announced', (eventIds: string[]) => ({ eventIds })],
  ['swept', () => ({ waitedMs: 0 })],
] as const) {
  test(`an event that is ${way} becomes a delivery for webhooks whose filters it passes, before or after the change`, async (t) => {
    const { db } = await testDatabase(t)
    const { at, all, soups } = await kitchen(db)
    const payloads = [['soup'], ['pie'], ['pie', 'broth'], ['soup', 'pie'], ['pie', 'tart']].map(payloadOf)
    const eventIds = await commit(db, at, payloads)
    await cycle(db, selection(eventIds))
    t.deepEqual(await eventsOf(db, all), eventIds.toSorted())
    t.deepEqual(await eventsOf(db, soups), [eventIds[0], eventIds[2], eventIds[3]].map(String).toSorted())
    t.deepEqual(await db.all('select * from outbox'), [])
  })
}

test('events whose payloads one cycle cannot read are left to the next, and none is lost', async (t) => {
  const { db } = await testDatabase(t)
  const { at, all, soups } = await kitchen(db)
  const long = 'x'.repeat(250_000)
  const eventIds = await commit(
    db,
    at,
    Array.from({ length: 45 }, (_, n) => payloadOf([n % 2 === 0 ? 'soup' : long, long])),
  )
  const cycles: number[] = []
  for (let more = true; more; ) {
    more = (await cycle(db, { waitedMs: 0 })).moreInOutbox
    cycles.push((await eventsOf(db, all)).length)
  }
  t.true(cycles.length > 1 && (cycles[0] ?? 0) < 45, `${cycles}`)
  t.deepEqual(await eventsOf(db, all), eventIds.toSorted())
  t.is((await eventsOf(db, soups)).length, 23)
})
