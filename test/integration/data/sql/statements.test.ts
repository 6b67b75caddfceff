import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { runCycle } from '#shared/data/dispatch/cycle.ts'
import type { CycleWork } from '#shared/data/dispatch/cycle-plan.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { findItems } from '#shared/data/items/items.ts'
import { applySync } from '#shared/data/lists/schema-sync.ts'
import { makeCursor } from '#shared/data/pages/cursor.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { matchesFixture } from '../../../support/assertions/fixture.ts'
import { alias } from '../../../support/databases/commits.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import {
  anotherConnection,
  emptyDirectory,
  openTestDatabase,
  testBackend,
  testDatabase,
} from '../../../support/databases/database.ts'
import { all, pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { havingWords } from '../../../support/databases/questions/question-sets.ts'
import { statementsOf } from '../../../support/databases/statements.ts'
import { actor, prepareSync, sync } from '../../../support/sync/sync.ts'
import { syncDocument } from '../../../support/sync/sync-world.ts'
import { commitEvents, fails, succeeds } from '../../../support/webhooks/rivals.ts'

// The statements for each database, as reviewers read them in `test/fixtures/statements`. In series, because every statement of
// the process is recorded.

/** The steps of a scenario in order, each with a sentence about it. */
type Steps = readonly (readonly [about: string, work: () => Promise<unknown>])[]

type World = { db: Database; at: { accountId: string; listId: string } }

/** A list of an account that has webhooks, on one connection, so that the order of statements is the same in every run. */
async function world(t: ExecutionContext, { webhooks = 1 } = {}): Promise<World> {
  const { db: first, dataDir } = await testDatabase(t)
  const at = await makeList(first)
  for (let n = 0; n < webhooks; n++) await makeWebhook(first, at)
  const db = await anotherConnection(t, dataDir, { pool: 1 })
  await connect(db)
  return { db, at }
}

/** Opens the connections that are opened on first use. */
async function connect(db: Database): Promise<void> {
  await db.get('select 1')
  await db.checkpoint()
}

async function areCommitted(t: ExecutionContext, scenario: string, steps: Steps): Promise<void> {
  const parts: string[] = []
  for (const [about, work] of steps) parts.push(`-- ${about}\n\n${await statementsOf(work)}`)
  await matchesFixture(t, `statements/${scenario}.${testBackend}.sql`, parts.join('\n\n'))
}

const holder = { owner: 'me', leaseMs: 30_000 }
const listeners = createListeners()
const rules = { retrySeconds: [], disableAfter: 1, maxWaiting: 1_000, maxHeld: 1_000, newId: testId, listeners }
const noSlots = { fast: 0, slow: 0 }
const slots = { fast: 2, slow: 2 }
const nothing = { settlements: [], outbox: null, slots: noSlots, claimDue: false }
const everything = { waitedMs: 0 }

const fanOut = ({ db }: World) => runCycle(db, { ...nothing, outbox: everything }, holder, rules)
const claim = ({ db }: World) => runCycle(db, { ...nothing, slots, claimDue: true }, holder, rules)

function commit({ db }: World, change: ItemChange): Promise<void> {
  return createCommitter(db, { announce() {} }).commit(change)
}

/** An item with a tag and an alias. */
function creation({ at }: World): ItemChange {
  const change = itemChange(at, { indexValues: [alias('soup')] })
  return { ...change, after: { ...testItem(at, change.itemId, 1), tags: ['quick'] } }
}

function update({ at }: World, { itemId }: ItemChange): ItemChange {
  const after = { ...testItem(at, itemId, 2), tags: ['slow'] }
  return itemChange(at, { itemId, expectedRevision: 1, after, indexValues: [alias('stew')] })
}

test.serial('the statements that open a database match the committed ones', async (t) => {
  const dataDir = await emptyDirectory(t)
  const open = async () => {
    const db = await openTestDatabase(dataDir, { pool: 1 })
    await connect(db)
    await db.close()
  }
  await areCommitted(t, 'open', [['A database is opened, read from and closed.', open]])
})

test.serial('the statements of an item create match the committed ones', async (t) => {
  const there = await world(t)
  await areCommitted(t, 'item-create', [
    ['An item with a tag and an alias is created, where there is a webhook.', () => commit(there, creation(there))],
  ])
})

test.serial(
  'the statements of an item create in a list that is searched, and of a page of words, match the committed ones',
  async (t) => {
    const there = await world(t)
    const terms = {
      termsId: 7,
      frequencies: new Map([
        ['soup', 2],
        ['tomato', 1],
      ]),
      length: 3,
    }
    const set = {
      ...visibleItems(there.at.listId, all, true),
      questions: [havingWords(terms.termsId, ['soup', 'stew'])],
    }
    const options = { accountId: there.at.accountId, set, filtered: true, withData: true }
    await areCommitted(t, 'searched-items', [
      ['An item with two words is created.', () => commit(there, { ...creation(there), terms })],
      ['The newest items with either of two words.', () => readItemPage(there.db, options, pageRequest({ after: '' }))],
    ])
  },
)

test.serial('the statements of an item update match the committed ones', async (t) => {
  const there = await world(t)
  const created = creation(there)
  await commit(there, created)
  await areCommitted(t, 'item-update', [
    ['An item is read.', () => findItems(there.db, there.at, [created.itemId])],
    ['Its data, its tag and its alias are replaced.', () => commit(there, update(there, created))],
  ])
})

test.serial('the statements of an item page match the committed ones', async (t) => {
  const there = await world(t)
  const change = itemChange(there.at)
  const long = 2 * shortTextBytes
  const data = JSON.stringify('x'.repeat(long - 2))
  await commit(there, { ...change, after: { ...testItem(there.at, change.itemId, 1), data, size: long } })
  const visible = visibleItems(there.at.listId, all, true)
  const read = (set: typeof visible, request: ItemPageRequest) => {
    const options = { accountId: there.at.accountId, set, filtered: set !== visible, withData: true }
    return readItemPage(there.db.long, options, request)
  }
  const page = (set: typeof visible, request: Parameters<typeof pageRequest>[0]) => read(set, pageRequest(request))
  const tagged = { ...visible, tagged: [['quick', 'slow'], ['red']] }
  const byValue = valuePageRequest(there.at.listId, { direction: 'asc', after: '' })
  const after = makeCursor({ key: 'b', id: change.itemId }, byValue)
  const keys = { kind: 'range', min: 'a', end: 'c' } as const
  const ranged = { ...visible, values: [{ indexId: there.at.listId, keys, texts: [] }] }
  await areCommitted(t, 'item-page', [
    ['The first page by number, with one item of long data, and its total.', () => page(visible, { page: 1 })],
    ['The first page by cursor.', () => page(visible, { after: '' })],
    ['Items with tags, in an order that no index has.', () => page(tagged, { order: 'size', after: '' })],
    ['The first page in the order of values, then of items without one.', () => read(visible, byValue)],
    [
      'A page of a range of values in their order, after a cursor.',
      () => read(ranged, { ...byValue, after } as ItemPageRequest),
    ],
  ])
})

test.serial('the statements of a fan-out match the committed ones', async (t) => {
  const there = await world(t, { webhooks: 2 })
  await commitEvents(there.db, there.at, 2)
  const free = await world(t, { webhooks: 2 })
  await commitEvents(free.db, free.at, 1)
  await fanOut(free)
  await commitEvents(free.db, free.at, 1)
  await areCommitted(t, 'fan-out', [
    ['Two events become deliveries of two webhooks.', () => fanOut(there)],
    [
      'An event becomes a delivery of two webhooks that are known and free, whose attempts begin.',
      () => runCycle(free.db, { ...nothing, outbox: everything, slots }, holder, rules),
    ],
  ])
})

test.serial('the statements of a claim match the committed ones', async (t) => {
  const there = await world(t, { webhooks: 2 })
  await commitEvents(there.db, there.at, 1)
  await fanOut(there)
  await areCommitted(t, 'claim', [['Two webhooks are due, and their next attempts begin.', () => claim(there)]])
})

test.serial('the statements that settle deliveries match the committed ones', async (t) => {
  const there = await world(t, { webhooks: 2 })
  await commitEvents(there.db, there.at, 2)
  await fanOut(there)
  const { claimed } = await claim(there)
  t.is(claimed.length, 2)
  const settlements = claimed.map((claim, n) => {
    return { claim, outcome: n === 0 ? succeeds : fails, lane: 'fast', shouldContinue: true } as const
  })
  await areCommitted(t, 'settle', [
    [
      'One delivery succeeds, and the next of its webhook begins; one fails for good, which disables its webhook.',
      () => runCycle(there.db, { ...nothing, settlements }, holder, rules),
    ],
  ])
})

test.serial('the statements of cycles that need no transaction match the committed ones', async (t) => {
  const { db, at } = await world(t)
  const [first, second] = [await commitEvents(db, at, 1), await commitEvents(db, at, 1)]
  let claims: Claim[] = []
  const cycle = async (outbox: CycleWork['outbox']) => {
    const settlements = claims.map(
      (claim) => ({ claim, outcome: succeeds, lane: 'fast', shouldContinue: true }) as const,
    )
    const { next, claimed } = await runCycle(db, { ...nothing, settlements, outbox, slots }, holder, rules)
    claims = [...next, ...claimed]
  }
  await areCommitted(t, 'optimistic-cycle', [
    ['An event becomes a delivery of a free webhook, whose attempt begins.', () => cycle({ eventIds: first })],
    ['It succeeds, and another event becomes the next delivery.', () => cycle({ eventIds: second })],
    ['That succeeds too, and the webhook is free.', () => cycle(null)],
  ])
  t.deepEqual(claims, [])
})

test.serial('the statements of a schema sync match the committed ones', async (t) => {
  const { db, at } = await world(t)
  const title = { pointer: '/title' }
  await sync(db, at.accountId, { lists: { old: { indexes: { title, year: { pointer: '/year' } } } } })
  await sync(db, at.accountId, { scope: 'app', lists: { kept: { indexes: { title } }, dropped: {} } })
  const document = syncDocument({
    lists: {
      old: { description: 'changed', indexes: { title: { ...title, sorting: true }, author: { pointer: '/author' } } },
      new: { schema: { type: 'object' }, indexes: { title } },
    },
  })
  let prepared: Awaited<ReturnType<typeof prepareSync>> | undefined
  await areCommitted(t, 'schema-sync', [
    [
      'The lists of the document are read.',
      async () => {
        prepared = await prepareSync(db, at.accountId, document)
      },
    ],
    [
      'A list and two indexes are created, a list and an index are changed.',
      async () => prepared && applySync({ db, announce() {} }, prepared.writes, actor),
    ],
    [
      'A list and an index are deleted that the scope manages and the document does not declare.',
      () => sync(db, at.accountId, { scope: 'app', lists: { kept: { indexes: {} } } }, { prune: true }),
    ],
  ])
})
