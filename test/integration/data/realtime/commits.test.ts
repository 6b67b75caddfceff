import test from 'ava'
import { deleteExpired } from '#shared/data/background/delete-expired.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import {
  countFrom,
  readEventsAfter,
  readLastCommits,
  readStatesBefore,
  replayPage,
} from '#shared/data/realtime/read-commits.ts'
import { oldPlaces } from '#shared/data/realtime/retention.ts'
import { beforeCommit, beginning } from '#shared/domain/realtime/position.ts'
import { itemChange, makeList, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const committerOn = (db: Parameters<typeof createCommitter>[0]) => createCommitter(db, { announce() {} })

/** A change of a list whose changes are streamed. */
function streamed(at: Parameters<typeof itemChange>[0], options: Parameters<typeof itemChange>[1] = {}) {
  return itemChange(at, { ...options, list: { id: at.listId, configVersion: 1, realtime: true } })
}

test('commits of an account that change realtime lists are numbered without gaps, whichever process commits them', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const committers = [committerOn(db), committerOn(await anotherConnection(t, dataDir))]
  const changes = Array.from({ length: 60 }, () => streamed(at))
  await Promise.all(changes.map(async (change, n) => committers[n % 2]?.commit(change)))
  const read: string[] = []
  for (let position = beginning; ; ) {
    const page = await readEventsAfter(db, at.accountId, position)
    if (page === null || page === 'gap') {
      t.is(page, null)
      break
    }
    read.push(...page.events.map(({ id }) => id))
    position = page.to
  }
  t.deepEqual(read.toSorted(), changes.map(({ event }) => event.id).toSorted())
  const last = (await readLastCommits(db, [at.accountId])).get(at.accountId)
  t.is(last?.eventId, read.at(-1))
})

test('a commit without a realtime list has no number', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await committerOn(db).commit(itemChange(at))
  t.is((await readLastCommits(db, [at.accountId])).size, 0)
  t.is(await readEventsAfter(db, at.accountId, beginning), null)
})

test('a page of events is limited by their number and by their bytes', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = committerOn(db)
  await committer.commitAll(Array.from({ length: replayPage.events + 20 }, () => streamed(at)))
  const first = await readEventsAfter(db, at.accountId, beginning)
  if (first === null || first === 'gap') return t.fail()
  t.is(first.events.length, replayPage.events)
  const rest = await readEventsAfter(db, at.accountId, first.to)
  t.is(rest === 'gap' ? null : rest?.events.length, 20)
  const long = () => {
    const change = streamed(at)
    return { ...change, event: { ...change.event, snapshot: JSON.stringify({ data: 'x'.repeat(150_000) }) } }
  }
  await committer.commitAll([long(), long(), long()])
  const page = await readEventsAfter(db, at.accountId, { number: 1, at: replayPage.events + 19 })
  t.is(page === 'gap' ? null : page?.events.length, 1)
})

test('a reader that retention has overtaken is notified of the gap', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = committerOn(db)
  const changes = [streamed(at), streamed(at), streamed(at)]
  for (const [n, change] of changes.entries()) {
    await committer.commit({ ...change, event: { ...change.event, createdAt: 1_000 * (n + 1) } })
  }
  const ids = changes.map(({ event }) => event.id)
  t.is(await countFrom(db, at.accountId, { number: 1, eventId: ids[0] ?? '', most: 2 }), 3)
  t.is(await countFrom(db, at.accountId, { number: 1, eventId: ids[1] ?? '', most: 9 }), null)
  const { rows } = await deleteExpired(db, oldPlaces, { from: 0, until: 1_500, rows: 10 })
  t.is(rows, 1)
  t.is(await countFrom(db, at.accountId, { number: 1, eventId: ids[0] ?? '', most: 9 }), null)
  t.is(await readEventsAfter(db, at.accountId, beginning), 'gap')
  const page = await readEventsAfter(db, at.accountId, beforeCommit(2))
  t.deepEqual(page === 'gap' ? null : page?.events.map(({ id }) => id), ids.slice(1))
})

test('the state of an item before a change is that of its previous event', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = committerOn(db)
  const created = streamed(at)
  await committer.commit({ ...created, event: { ...created.event, createdAt: 1_000 } })
  const after = testItem(at, created.itemId, 2)
  const update = streamed(at, { itemId: created.itemId, expectedRevision: 1, after })
  await committer.commit({ ...update, before: created.after, event: { ...update.event, createdAt: 2_000 } })
  const states = await readStatesBefore(db, [update.event.id, created.event.id])
  t.deepEqual([...states], [[update.event.id, { snapshot: created.event.snapshot, revision: 1 }]])
})
