import test, { type ExecutionContext } from 'ava'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { rowMapper } from '#shared/data/sql/insert-rows.ts'
import { alias, outcomeOf } from '../../../support/databases/commits.ts'
import { itemChange, makeList, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

type At = Awaited<ReturnType<typeof makeList>>

const noteRows = rowMapper<string>('settings', { name: (name) => name, value: () => '1' })

const valuesId = alias('any').indexId

async function setUp(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const other = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const elsewhere = createCommitter(await anotherConnection(t, dataDir), { announce() {} })
  const present = testId()
  await committer.commit(itemChange(other, { itemId: present, indexValues: [alias('taken')] }))
  return { db, at, other, committer, elsewhere, present }
}

function updated(at: At, itemId: string, from: number): ItemChange {
  const after = testItem(at, itemId, from + 1)
  const change = itemChange(at, { itemId, expectedRevision: from, after })
  return { ...change, event: { ...change.event, type: 'item-updated' } }
}

const notes = async (db: Awaited<ReturnType<typeof setUp>>['db']) =>
  (await db.all<{ name: string }>(`select name from settings where name like 'note-%' order by name`)).map(
    ({ name }) => name,
  )

test('a unit is committed with its rows if everything that it read is unchanged, and otherwise not at all', async (t) => {
  const { db, at, other, committer, present } = await setUp(t)
  const missing = testId()
  const { listId } = other
  const read = [
    { listId, itemId: present, revision: 1 },
    { listId, itemId: missing, revision: null },
    { listId, valuesId, alias: 'free' },
  ]
  const outdated = [
    { listId, itemId: present, revision: 2 },
    { listId, itemId: missing, revision: 1 },
    { listId, itemId: present, revision: null },
    { listId, valuesId, alias: 'taken' },
    { listId: testId(), itemId: missing, revision: null },
  ]
  for (const [n, proof] of outdated.entries()) {
    const context = { proofs: [...read, proof], rows: [noteRows([`note-rejected-${n}`])] }
    for (const changes of [[itemChange(at)], [itemChange(at), itemChange(other)], []]) {
      t.is(
        await outcomeOf(committer.commitAll(changes, context)),
        'conflict on item',
        `proof ${n}, ${changes.length} changes`,
      )
    }
  }
  t.deepEqual(await notes(db), [])
  await committer.commitAll([itemChange(at), itemChange(other)], { proofs: read, rows: [noteRows(['note-1'])] })
  await committer.commitAll([itemChange(at)], { proofs: read, rows: [noteRows(['note-2'])] })
  await committer.commitAll([], { proofs: read, rows: [noteRows(['note-3', 'note-4'])] })
  t.deepEqual(await notes(db), ['note-1', 'note-2', 'note-3', 'note-4'])
  t.deepEqual(await db.get(`select count(*) as items from items`), { items: 4 })
})

test('a unit that proves that an alias is free may give it to its own item', async (t) => {
  const { db, at, committer } = await setUp(t)
  const change = itemChange(at, { itemId: testId(), indexValues: [alias('mine')] })
  await committer.commitAll([change], { proofs: [{ listId: at.listId, valuesId, alias: 'mine' }] })
  t.deepEqual(await db.get(`select count(*) as items from items`), { items: 2 })
})

test('an alias that was proven free but is in use by now is a conflict, and one without a proof is a rejection', async (t) => {
  const { at, committer } = await setUp(t)
  const { listId } = at
  const taking = (...texts: string[]) =>
    texts.map((text) => itemChange(at, { itemId: testId(), indexValues: [alias(text)] }))
  const free = { listId, valuesId, alias: 'taken' }
  const before = { listId, itemId: testId(), revision: null }
  for (const changes of [taking('taken'), taking('other', 'taken')]) {
    const conflict = await t.throwsAsync(committer.commitAll(changes, { proofs: [before, free] }))
    t.like(conflict, { name: 'Conflict', on: 'item', change: changes.length - 1, proof: 1 })
    t.is(
      await outcomeOf(committer.commitAll(changes, { proofs: [before] })),
      await outcomeOf(committer.commitAll(changes)),
    )
  }
  await t.throwsAsync(committer.commitAll(taking('taken'), { proofs: [before] }), { name: 'ITEM_ALIAS_TAKEN' })
  const twice = { listId, valuesId, alias: 'twice' }
  await t.throwsAsync(committer.commitAll(taking('twice', 'twice'), { proofs: [twice] }), { name: 'ITEM_ALIAS_TAKEN' })
})

test('an item absent from one list may exist in another, and a failed proof is reported', async (t) => {
  const { at, other, committer, present } = await setUp(t)
  const absent = { listId: at.listId, itemId: present, revision: null }
  await committer.commitAll([itemChange(at)], { proofs: [absent] })
  const proofs = [absent, { ...absent, listId: other.listId }]
  const inTheWay = await t.throwsAsync(committer.commitAll([itemChange(at)], { proofs }))
  t.like(inTheWay, { name: 'Conflict', on: 'item', proof: 1 })
  const outdated = [absent, { listId: other.listId, itemId: present, revision: 2 }]
  t.like(await t.throwsAsync(committer.commitAll([itemChange(at)], { proofs: outdated })), { on: 'item', proof: 1 })
})

test('small units are committed together, with the rows of each', async (t) => {
  const { db, at, other, committer, present } = await setUp(t)
  let transactions = 0
  const counting = createCommitter(
    {
      ...db,
      transaction(work) {
        transactions++
        return db.transaction(work)
      },
    },
    { announce() {} },
  )
  const names = Array.from({ length: 20 }, (_, n) => `note-${n}`)
  const proofs = [{ listId: other.listId, itemId: present, revision: 1 }]
  const commits = names.map((name, n) =>
    counting.commitAll([itemChange(at), ...(n % 2 ? [itemChange(other)] : [])], { proofs, rows: [noteRows([name])] }),
  )
  await Promise.all([...commits, counting.commitAll([], { rows: [noteRows(['note-alone'])] })])
  t.is(transactions, 1)
  t.deepEqual(await notes(db), [...names, 'note-alone'].sort())
  await committer.close()
})

test('two units that each read what the other changes are never both committed', async (t) => {
  const { db, at, committer, elsewhere } = await setUp(t)
  const outcomes = new Set<string>()
  for (const second of [...Array(8).fill(elsewhere), committer, committer]) {
    const [one, two] = [testId(), testId()]
    await committer.commitAll([itemChange(at, { itemId: one }), itemChange(at, { itemId: two })])
    const proof = (itemId: string) => ({ proofs: [{ listId: at.listId, itemId, revision: 1 }] })
    const both = await Promise.all([
      outcomeOf(committer.commitAll([updated(at, one, 1)], proof(two))),
      outcomeOf(second.commitAll([updated(at, two, 1)], proof(one))),
    ])
    outcomes.add(both.toSorted().join())
    const rows = await db.all<{ revision: number }>(`select revision from items where id in ('${one}', '${two}')`)
    const committed = both.filter((outcome) => outcome === 'committed').length
    t.is(rows.filter(({ revision }) => revision === 2).length, committed)
  }
  t.false(outcomes.has('committed,committed'))
})

test('if two units each find the alias free that the other gives to its item, one is committed', async (t) => {
  const { at, committer, elsewhere } = await setUp(t)
  for (const [round, second] of [...Array(8).fill(elsewhere), committer, committer].entries()) {
    for (const [free, given] of [
      ['same', 'same'],
      ['one', 'two'],
    ]) {
      const unit = (proven: string, created: string) =>
        [
          [itemChange(at, { itemId: testId(), indexValues: [alias(`${created}-${round}`)] })],
          { proofs: [{ listId: at.listId, valuesId, alias: `${proven}-${round}` }] },
        ] as const
      const outcomes = await Promise.all([
        outcomeOf(committer.commitAll(...unit(`${free}`, `${given}`))),
        outcomeOf(second.commitAll(...unit(`${given}`, `${free}`))),
      ])
      t.is(outcomes.filter((outcome) => outcome === 'committed').length, 1, outcomes.join())
    }
  }
})
