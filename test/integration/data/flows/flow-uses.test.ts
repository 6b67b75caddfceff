import test, { type ExecutionContext } from 'ava'
import { findDependentFlows } from '#shared/data/flows/flow-uses.ts'
import { lockFlow, removeFlow, writeFlow } from '#shared/data/flows/flows.ts'
import { fillFlowUses } from '#shared/data/migrations/029-flow-uses.ts'
import type { Use } from '#shared/domain/use/use.ts'
import { flowDefinition, flowDocument, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = 'a'
const use = (kind: Use['kind'], name = '', list = 'cards'): Use => ({ kind, list, name })
const minutes = use('filter', 'minutes')

async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  /** Stores a flow that filters by indexes of the list. */
  const add = (name: string, indexes: readonly string[], of = accountId) => {
    const where = Object.fromEntries(indexes.map((index) => [index, '1']))
    const nodes = [{ id: 'page', type: 'list-items', list: 'cards', where }]
    return makeFlow(db, flowDefinition({ accountId: of, id: testId() }, flowDocument({ name, path: name, nodes })))
  }
  /** The names of the flows that depend on each use. */
  const found = async (uses: readonly Use[], most?: number) => {
    const { byUse, isCut } = await findDependentFlows(db, { accountId, uses }, most)
    const names = uses.map((one) =>
      byUse
        .get(`${one.kind} ${one.list} ${one.name}`)
        ?.map(({ name }) => name)
        .sort(),
    )
    return { names, isCut }
  }
  return { db, add, found }
}

test('flows are found by their uses, for one account and for many uses at once', async (t) => {
  const { add, found } = await setUp(t)
  await add('one', ['minutes', 'state'])
  await add('two', ['minutes'])
  await add('other', ['minutes'], 'b')
  const uses = [
    minutes,
    use('filter', 'state'),
    use('filter', 'kind'),
    use('list'),
    use('list', '', 'decks'),
    use('order', 'minutes'),
  ]
  t.deepEqual(await found(uses), { names: [['one', 'two'], ['one'], [], ['one', 'two'], [], []], isCut: false })
})

test('no more flows are read than the bound allows, and this is reported', async (t) => {
  const { add, found } = await setUp(t)
  for (const name of ['one', 'two', 'three']) await add(name, ['minutes'])
  t.deepEqual(await found([minutes], 3), { names: [['one', 'three', 'two']], isCut: false })
  const { names, isCut } = await found([minutes, use('list')], 2)
  t.true(isCut)
  t.is(names.flat().length, 2)
})

test('the uses of a flow are deleted with its document, and with the flow', async (t) => {
  const { db, add, found } = await setUp(t)
  const flow = await add('one', ['minutes'])
  const key = { accountId, flowId: flow.id }
  const write = (uses: readonly Use[] | null) =>
    db.transaction(async (tx) => {
      const before = await lockFlow(tx, key)
      if (before) await writeFlow(tx, { before, after: { ...before, version: before.version + 1 }, uses })
    })
  await write(null)
  t.deepEqual((await found([minutes])).names, [['one']])
  await write([use('filter', 'state')])
  t.deepEqual((await found([minutes, use('filter', 'state')])).names, [[], ['one']])
  await db.transaction((tx) => removeFlow(tx, key, 1))
  t.deepEqual(await db.all('select * from flow_uses'), [])
})

test('the upgrade finds the uses of stored flows, each once, and skips flows that cannot be read', async (t) => {
  const { db, add, found } = await setUp(t)
  for (const name of ['one', 'two', 'three']) await add(name, ['minutes'])
  const broken = await add('broken', ['minutes'])
  await db.run(`update flows set document = '{}' where id = '${broken.id}'`)
  await db.run('delete from flow_uses')
  const fill = async (after: string | null): Promise<number> => {
    const moved = await db.transaction((tx) => fillFlowUses(tx, { after, limit: 2 }))
    return moved.rows + (moved.after === null ? 0 : await fill(moved.after))
  }
  t.is(await fill(null), 4)
  t.is(await fill(null), 4, 'a batch may be done again')
  t.deepEqual((await found([minutes])).names, [['one', 'three', 'two']])
})
