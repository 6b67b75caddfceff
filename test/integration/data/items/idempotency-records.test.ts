import test, { type ExecutionContext } from 'ava'
import { deleteExpired } from '#shared/data/background/delete-expired.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import {
  expiringKeys,
  findIdempotencyRecord,
  hasIdempotencyRecord,
  type IdempotencyKey,
} from '#shared/data/items/idempotency-records.ts'
import { alias, outcomeOf } from '../../../support/databases/commits.ts'
import { flowDefinition, makeFlow } from '../../../support/databases/contents/flows.ts'
import { itemChange, makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { startTestProgram } from '../../../support/programs/test-program.ts'

async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const key = (keyHash: string, expiresAt = 1_000): IdempotencyKey => ({
    keyHash,
    subjectId: at.listId,
    requestHash: `request of ${keyHash}`,
    expiresAt,
  })
  return { db, at, committer, key }
}

test('a key is stored with the events of its changes, in their order', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  const unit = [itemChange(at), itemChange(at), itemChange(at)].toReversed()
  await committer.commitAll(unit, { key: key('many') })
  await committer.commit(itemChange(at), key('one'))
  t.deepEqual(await findIdempotencyRecord(db, 'many', 0), {
    ...key('many'),
    result: JSON.stringify(unit.map(({ event }) => event.id)),
  })
  t.is(JSON.parse((await findIdempotencyRecord(db, 'one', 0))?.result ?? '').length, 1)
  t.is(await findIdempotencyRecord(db, 'other', 0), null)
})

test('of changes with one key the first is stored, and others in the same transaction are not affected', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  const outcomes = await Promise.all([
    ...['same', 'same', 'other'].map((name) => outcomeOf(committer.commit(itemChange(at), key(name)))),
    outcomeOf(committer.commit(itemChange(at))),
    outcomeOf(committer.commitAll([itemChange(at), itemChange(at)], { key: key('same') })),
  ])
  t.deepEqual(outcomes, ['committed', 'conflict on key', 'committed', 'committed', 'conflict on key'])
  t.is((await db.all('select id from events')).length, 3)
})

test('a change with an alias in use stores no key', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  await committer.commit(itemChange(at, { indexValues: [alias('a')] }))
  const taken = committer.commit(itemChange(at, { indexValues: [alias('a')] }), key('k'))
  t.is(await outcomeOf(taken), 'ITEM_ALIAS_TAKEN')
  t.false(await hasIdempotencyRecord(db, 'k'))
})

test('an expired key is forgotten when it is looked up, and so is one whose list is deleted', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  for (const name of ['old', 'listless']) await committer.commit(itemChange(at), key(name))
  t.not(await findIdempotencyRecord(db, 'old', 999), null)
  t.is(await findIdempotencyRecord(db, 'old', 1_000), null)
  t.false(await hasIdempotencyRecord(db, 'old'))
  await db.run('delete from lists')
  t.is(await findIdempotencyRecord(db, 'listless', 0), null)
  t.false(await hasIdempotencyRecord(db, 'listless'))
})

test('a key without changes is stored with what its request says that it created, until its flow is deleted', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  const { id: subjectId } = await makeFlow(db, flowDefinition({ accountId: at.accountId }))
  const record = { ...key('run'), subjectId, result: '{"status":200}' }
  await committer.commitAll([], { key: record })
  t.deepEqual(await findIdempotencyRecord(db, 'run', 0), record)
  t.is(await outcomeOf(committer.commitAll([], { key: record })), 'conflict on key')
  await db.run('delete from flows')
  t.is(await findIdempotencyRecord(db, 'run', 0), null)
})

test('expired keys are deleted, others stay', async (t) => {
  const { db, at, committer, key } = await setUp(t)
  for (const expiresAt of [1, 2, 3]) await committer.commit(itemChange(at), key(`key-${expiresAt}`, expiresAt))
  t.like(await deleteExpired(db, expiringKeys, { from: 0, until: 2, rows: 500 }), { rows: 2, more: false, from: 2 })
  t.deepEqual(await db.all('select key_hash from idempotency_keys'), [{ key_hash: 'key-3' }])
})

test('after a kill each key exists with all of its changes, and no change without its key', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const committer = await startTestProgram(t, 'keyed-committer.ts', dataDir)
  t.is(await committer.ask('start'), 'storing')
  await committer.kill()
  // One statement reads everything, because a server may still receive the commit of the dead process.
  const rows = await db.all<{ kind: string; reported: string }>(
    `select 'key' as kind, event_ids as reported from idempotency_keys
     union all select 'event', id from events union all select 'item', id from items`,
  )
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ reported }) => reported)
  t.true(of('key').length >= 3)
  const kept = of('key').flatMap((ids) => JSON.parse(ids) as string[])
  t.deepEqual(kept.toSorted(), of('event').toSorted())
  t.is(of('item').length, 20 * of('key').length)
})
