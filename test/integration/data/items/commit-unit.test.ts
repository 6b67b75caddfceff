import test, { type ExecutionContext } from 'ava'
import { Conflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { AliasTaken } from '#shared/data/items/commit/alias-taken.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { AppError } from '#shared/errors.ts'
import { alias, outcomeOf } from '../../../support/databases/commits.ts'
import { allEventCounts } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

type At = Awaited<ReturnType<typeof makeList>>

const created = (at: At, itemId: string, name?: string): ItemChange =>
  itemChange(at, { itemId, indexValues: name === undefined ? [] : [alias(name)] })

function updated(at: At, itemId: string, from: number, name?: string): ItemChange {
  const after = { ...testItem(at, itemId, from + 1), activated: false, tags: [`tag-${from}`] }
  const change = itemChange(at, { itemId, expectedRevision: from, after, payload: `{"updated":${from}}` })
  const indexValues = name === undefined ? [] : [alias(name)]
  return { ...change, indexValues, event: { ...change.event, type: 'item-updated', snapshot: `{"from":${from}}` } }
}

function deleted(at: At, itemId: string, from: number): ItemChange {
  const change = itemChange(at, { itemId, expectedRevision: from, after: null, payload: `{"deleted":${from}}` })
  return { ...change, event: { ...change.event, type: 'item-deleted' } }
}

/** Everything that a commit writes. */
async function contents(db: Database) {
  return {
    lists: await db.all('select id, item_count, deactivated_count from lists order by id'),
    items: await db.all('select id, revision from items order by id'),
    tags: await db.all('select item_id, tag from item_tags order by item_id, tag'),
    values: await db.all('select item_id, filter_key from index_values order by item_id, index_id'),
    events: await db.all('select id, type, model_id, revision, snapshot from events order by id'),
    counts: await allEventCounts(db),
    payloads: await db.all('select event_id, body from event_payloads order by event_id'),
    outbox: await db.all('select event_id, listener_epoch from outbox order by event_id'),
  }
}

async function setUp(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  await makeWebhook(db, at)
  const groups: (readonly string[])[] = []
  const committer = createCommitter(db, { announce: (committed) => groups.push(enqueuedEvents(committed)) })
  return { db, dataDir, at, committer, groups }
}

/** The outcome of a unit, with the index of the change that prevented the commit. */
async function unitOutcome(commit: Promise<void>): Promise<string> {
  return outcomeOf(
    commit.catch((error) => {
      if (error instanceof Conflict)
        throw Object.assign(new Error(), { name: `conflict on ${error.on} at ${error.change}` })
      if (error instanceof AliasTaken) throw Object.assign(new Error(), { name: `${error.name} at ${error.change}` })
      throw error
    }),
  )
}

const eventIds = (unit: readonly ItemChange[]) => unit.map(({ event }) => event.id)

test('a unit of a thousand changes is committed at once, with exact counters of lists and events', async (t) => {
  const { db, at, committer, groups } = await setUp(t)
  const unit = Array.from({ length: 1_000 }, (_, n) => created(at, testId(), `name-${n}`))
  await committer.commitAll(unit)
  const { lists, items, values, events, counts, payloads, outbox } = await contents(db)
  t.deepEqual(lists, [{ id: at.listId, item_count: 1_000, deactivated_count: 0 }])
  t.deepEqual(counts, [{ type: 'item-created', entries: 1_000 }])
  t.deepEqual(
    [items, values, events, payloads, outbox].map((rows) => rows.length),
    Array(5).fill(1_000),
  )
  t.deepEqual(groups, [eventIds(unit)])
})

test('several changes of one item in a unit build on each other, and each has its event and payload, in order', async (t) => {
  const { db, at, committer, groups } = await setUp(t)
  const [old, kept, gone] = [testId(), testId(), testId()]
  await committer.commit(created(at, old, 'old'))
  const before = await contents(db)
  groups.length = 0
  const unit = [
    created(at, kept, 'a'),
    created(at, gone, 'b'),
    updated(at, old, 1, 'c'),
    updated(at, kept, 1, 'b'),
    updated(at, gone, 1, 'a'),
    deleted(at, gone, 2),
    updated(at, kept, 2, 'old'),
    deleted(at, old, 2),
  ]
  await committer.commitAll(unit)
  t.deepEqual(groups, [eventIds(unit)])
  const after = await contents(db)
  t.deepEqual(after.lists, [{ id: at.listId, item_count: 1, deactivated_count: 1 }])
  t.deepEqual(after.items, [{ id: kept, revision: 3 }])
  t.deepEqual(after.tags, [{ item_id: kept, tag: 'tag-2' }])
  t.deepEqual(after.values, [{ item_id: kept, filter_key: 'old' }])
  t.deepEqual(after.counts, [
    { type: 'item-created', entries: 3 },
    { type: 'item-deleted', entries: 2 },
    { type: 'item-updated', entries: 4 },
  ])
  const revisions = [1, 1, 2, 2, 2, 3, 3, 3]
  t.deepEqual(after.events, [
    ...before.events,
    ...unit.map(({ event: { id, type, snapshot }, itemId }, n) => {
      return { id, type, model_id: itemId, revision: revisions[n], snapshot }
    }),
  ])
  t.deepEqual(after.payloads, [
    ...before.payloads,
    ...unit.map(({ event, payload }) => ({ event_id: event.id, body: payload })),
  ])
  t.deepEqual(
    after.outbox.map((row) => row.event_id),
    [...before.outbox.map((row) => row.event_id), ...eventIds(unit)],
  )
})

/** Units that cannot be committed if an item with the alias `taken` is at revision 1, and their outcomes. */
const failures: readonly [what: string, outcome: string, unit: (at: At, stored: string) => ItemChange[]][] = [
  ['whose list has changed', 'conflict on list at 1', (at) => [
    created(at, testId(), 'a'), { ...created(at, testId()), list: { id: at.listId, configVersion: 0 } },
    created(at, testId()),
  ]],
  ['whose list no longer exists', 'conflict on list at 1', (at) => [
    created(at, testId(), 'a'), created({ ...at, listId: testId() }, testId()),
  ]],
  ['whose item has changed', 'conflict on item at 2', (at, stored) => [
    created(at, testId(), 'a'), created(at, testId()), updated(at, stored, 4), updated(at, stored, 5),
  ]],
  ['whose item no longer exists', 'conflict on item at 1', (at) => [created(at, testId(), 'a'), deleted(at, testId(), 1)]],
  ['with a change that does not build on the one before', 'conflict on item at 2', (at, stored) => [
    updated(at, stored, 1), created(at, testId(), 'a'), updated(at, stored, 1),
  ]],
  ['that changes an item it has deleted', 'conflict on item at 1', (at, stored) => [
    deleted(at, stored, 1), updated(at, stored, 2),
  ]],
  ['with an alias that another item has', 'ITEM_ALIAS_TAKEN at 2', (at) => [
    created(at, testId(), 'a'), created(at, testId()), created(at, testId(), 'taken'), created(at, testId(), 'b'),
  ]],
  ['with one alias for two items', 'ITEM_ALIAS_TAKEN at 3', (at, stored) => [
    created(at, testId(), 'a'), created(at, testId(), 'b'), updated(at, stored, 1, 'c'), created(at, testId(), 'a'),
  ]],
] // biome-ignore format: a table

for (const [what, outcome, unit] of failures) {
  test(`a unit ${what} writes nothing, and the error names the change`, async (t) => {
    const { db, at, committer } = await setUp(t)
    const stored = testId()
    await committer.commit(created(at, stored, 'taken'))
    const before = await contents(db)
    t.is(await unitOutcome(committer.commitAll(unit(at, stored))), outcome)
    t.deepEqual(await contents(db), before)
  })
}

test('aliases are compared as a unit leaves them: two items swap theirs, and one gets that of a deleted item', async (t) => {
  const { db, at, committer } = await setUp(t)
  const [one, other, gone, next] = [testId(), testId(), testId(), testId()]
  await committer.commitAll([created(at, one, 'a'), created(at, other, 'b'), created(at, gone, 'c')])
  const unit = [updated(at, one, 1, 'b'), updated(at, other, 1, 'a'), created(at, next, 'c'), deleted(at, gone, 1)]
  await committer.commitAll(unit)
  t.deepEqual((await contents(db)).values, [
    { item_id: one, filter_key: 'b' },
    { item_id: other, filter_key: 'a' },
    { item_id: next, filter_key: 'c' },
  ])
})

test('an alias that its item gives up while a unit fails because of it is a conflict: computed again, the unit is committed', async (t) => {
  const { db, at, committer } = await setUp(t)
  const stored = testId()
  await committer.commit(created(at, stored, 'taken'))
  const all: Database['all'] = async (query, bindings) => {
    await db.run('delete from index_values where item_id = ?', [stored])
    return db.all(query, bindings)
  }
  const late = createCommitter({ ...db, all }, { announce() {} })
  const unit = [created(at, testId()), created(at, testId(), 'taken')]
  t.is(await unitOutcome(late.commitAll(unit)), 'conflict on item at undefined')
  t.is(await unitOutcome(late.commitAll(unit)), 'committed')
})

test('a unit whose used alias cannot be looked up fails alone: the committer continues', async (t) => {
  const { db, at, committer } = await setUp(t)
  await committer.commit(created(at, testId(), 'taken'))
  const all: Database['all'] = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'))
  const failing = createCommitter({ ...db, all }, { announce() {} })
  const unit = [created(at, testId()), created(at, testId(), 'taken')]
  const commits = [failing.commitAll(unit), failing.commit(created(at, testId()))]
  t.deepEqual(await Promise.all(commits.map(unitOutcome)), ['SERVICE_UNAVAILABLE', 'committed'])
})

test('a large unit is alone in its transaction, in its turn among others, and a failing one leaves the others', async (t) => {
  const { at, committer, groups } = await setUp(t)
  const singles = Array.from({ length: 6 }, () => created(at, testId()))
  const unit = Array.from({ length: 17 }, () => created(at, testId()))
  const failing = [created(at, testId()), deleted(at, testId(), 1)]
  const outcomes = await Promise.all([
    ...singles.slice(0, 2).map((change) => unitOutcome(committer.commit(change))),
    unitOutcome(committer.commitAll(unit)),
    ...singles.slice(2, 4).map((change) => unitOutcome(committer.commitAll([change]))),
    unitOutcome(committer.commitAll(failing)),
    ...singles.slice(4).map((change) => unitOutcome(committer.commit(change))),
  ])
  t.is(outcomes[5], 'conflict on item at 1')
  t.is(outcomes.filter((outcome) => outcome === 'committed').length, 7)
  t.deepEqual(groups, [
    eventIds(singles.slice(0, 2)),
    eventIds(unit),
    eventIds(singles.slice(2, 4)),
    eventIds(singles.slice(4)),
  ])
})

test('a change that waits for a unit is computed from the result of the unit', async (t) => {
  const { db, at, committer } = await setUp(t)
  const itemId = testId()
  const unit = [created(at, itemId), created(at, testId())]
  await Promise.all([committer.commitAll(unit), committer.commit(updated(at, itemId, 1))])
  t.deepEqual((await contents(db)).lists, [{ id: at.listId, item_count: 2, deactivated_count: 1 }])
})

test('units of two processes that change the same items in opposite orders are committed one after the other', async (t) => {
  const { db, dataDir, at, committer } = await setUp(t)
  const other = createCommitter(await anotherConnection(t, dataDir), { announce() {} })
  const ids = Array.from({ length: 50 }, testId)
  await committer.commitAll(ids.map((id, n) => created(at, id, `name-${n}`)))
  const update = (order: readonly string[]) => order.map((id) => updated(at, id, 1, `name-${ids.indexOf(id)}`))
  const commits = [committer.commitAll(update(ids)), other.commitAll(update(ids.toReversed()))]
  const outcomes = await Promise.all(commits.map(unitOutcome))
  t.deepEqual(outcomes.toSorted(), ['committed', 'conflict on item at 0'])
  const { lists, counts } = await contents(db)
  t.deepEqual(lists, [{ id: at.listId, item_count: 50, deactivated_count: 50 }])
  t.deepEqual(counts, [
    { type: 'item-created', entries: 50 },
    { type: 'item-updated', entries: 50 },
  ])
})

test('a unit writes payloads and outbox rows only for the account with an active webhook', async (t) => {
  const { db, at, committer } = await setUp(t)
  const silent = await makeList(db)
  const heard = created(at, testId())
  await committer.commitAll([created(silent, testId()), heard, created(silent, testId())])
  const { events, payloads, outbox } = await contents(db)
  t.is(events.length, 3)
  t.deepEqual(payloads, [{ event_id: heard.event.id, body: heard.payload }])
  t.deepEqual(outbox, [{ event_id: heard.event.id, listener_epoch: 1 }])
})

test('a unit has its own limits, and those of the queue', async (t) => {
  const { db, at, committer } = await setUp(t)
  const unit = (length: number, text = '{}') =>
    Array.from({ length }, () => {
      const change = created(at, testId())
      return { ...change, event: { ...change.event, snapshot: text }, payload: '{}' }
    })
  const megabyte = `"${'x'.repeat(1024 * 1024)}"`
  t.is(await outcomeOf(committer.commitAll(unit(1_001))), 'PAYLOAD_TOO_LARGE')
  t.is(await outcomeOf(committer.commitAll(unit(32, megabyte))), 'PAYLOAD_TOO_LARGE')
  const outcomes = [1_000, 1_000, 2].map((length) => outcomeOf(committer.commitAll(unit(length))))
  t.is(committer.waiting(), 2_000)
  t.deepEqual(await Promise.all(outcomes), ['committed', 'committed', 'SERVICE_UNAVAILABLE'])
  const large = [31, 2].map((length) => outcomeOf(committer.commitAll(unit(length, megabyte))))
  t.deepEqual(await Promise.all(large), ['committed', 'SERVICE_UNAVAILABLE'])
  t.is(committer.waiting(), 0)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 2_031)
})

test('a unit without changes writes nothing', async (t) => {
  const { db, committer, groups } = await setUp(t)
  const before = await contents(db)
  await committer.commitAll([])
  t.deepEqual([await contents(db), groups], [before, []])
})
