import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { type FlowSet, readFlowPage } from '#shared/data/flows/flow-page.ts'
import { nextFlowPurge, purgeRuns } from '#shared/data/flows/flow-purge.ts'
import { findFlowRun, flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { findVersion, readVersions } from '#shared/data/flows/flow-versions.ts'
import {
  findFlow,
  findFlowByEndpoint,
  findFlowById,
  findFlowByName,
  findPublicFlow,
  lockFlow,
  removeFlow,
  writeFlow,
} from '#shared/data/flows/flows.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = 'a'

async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const flow = await makeFlow(db, flowDefinition({ accountId, tests: '{ "tests": [] }' }))
  return { db, flow }
}

const idOf = (flow: FlowDefinition | null) => flow?.id ?? null

test('a flow is found by id, by name in any case, and by method and path, only in its account', async (t) => {
  const { db, flow } = await setUp(t)
  t.deepEqual(await findFlowById(db, { accountId, flowId: flow.id }), flow)
  t.is(await findFlowById(db, { accountId: 'b', flowId: flow.id }), null)
  for (const ref of [flow.id, 'Greet', 'GREET']) t.is(idOf(await findFlow(db, { accountId, ref })), flow.id)
  t.is(await findFlow(db, { accountId: 'b', ref: flow.id }), null)
  t.is(await findFlow(db, { accountId, ref: 'other' }), null)
  const called = (of: object) => findFlowByEndpoint(db, { accountId, method: 'POST', path: 'greet', ...of })
  for (const more of [{}, { path: 'GREET' }]) t.is(idOf(await called(more)), flow.id)
  for (const more of [{ method: 'GET' }, { path: 'greet/x' }, { path: '/greet' }, { accountId: 'b' }])
    t.is(await called(more), null)
})

test('the id of a flow takes precedence over a name that looks like it', async (t) => {
  const { db, flow } = await setUp(t)
  await makeFlow(db, flowDefinition({ accountId, id: testId() }, flowDocument({ name: flow.id, path: 'other' })))
  t.is(idOf(await findFlow(db, { accountId, ref: flow.id })), flow.id)
})

test('every caller finds a flow whose entry is public', async (t) => {
  const { db, flow } = await setUp(t)
  t.is(await findPublicFlow(db, flow.id), null)
  const open = await makeFlow(
    db,
    flowDefinition({ accountId, id: testId(), public: true }, flowDocument({ name: 'Open', path: 'open' })),
  )
  t.is(idOf(await findPublicFlow(db, open.id)), open.id)
})

test('a name, and a method with a path, is unique in an account', async (t) => {
  const { db } = await setUp(t)
  const create = (document: string, of = accountId) => makeFlow(db, flowDefinition({ accountId: of }, document))
  const violates = async (document: string) =>
    t.true(isUniqueViolation(await t.throwsAsync(create(document), { any: true })), document)
  await violates(flowDocument({ name: 'GREET', path: 'x' }))
  await violates(flowDocument({ name: 'Other', path: 'Greet' }))
  await create(flowDocument({ name: 'Other', method: 'GET' }))
  await create(flowDocument(), 'b')
  t.is(idOf(await findFlowByName(db, { accountId, name: 'oTHer' })) === null, false)
})

test('a changed document is a new version, and the last twenty versions are kept', async (t) => {
  const { db, flow } = await setUp(t)
  const key = { accountId, flowId: flow.id }
  const write = (change: Partial<FlowDefinition>) =>
    db.transaction(async (tx) => {
      const before = await lockFlow(tx, key)
      if (before) await writeFlow(tx, { before, after: { ...before, ...change }, uses: null })
    })
  await write({ activated: false, updatedAt: 2 })
  t.deepEqual(await findFlowById(db, key), { ...flow, activated: false, updatedAt: 2 })
  t.deepEqual(await readVersions(db, key), [{ version: 1, createdAt: 1 }])
  for (let version = 2; version <= 23; version++)
    await write({ version, updatedAt: version, document: `{"n":${version}}` })
  const versions = await readVersions(db, key)
  t.deepEqual([versions.length, versions[0], versions.at(-1)?.version], [20, { version: 23, createdAt: 23 }, 4])
  t.is(await findVersion(db, { flowId: flow.id, version: 3 }), null)
  const kept = { version: 4, createdAt: 4, document: '{"n":4}', tests: flow.tests }
  t.deepEqual(await findVersion(db, { flowId: flow.id, version: 4 }), kept)
})

const addRuns = (db: Database, flow: FlowDefinition, count: number) => {
  const runs = Array.from({ length: count }, (_, n) => flowRun(flow, { createdAt: n + 1 }))
  return db.transaction((tx) => insertRows(tx, flowRunRows(runs))).then(() => runs)
}

test('a run is found in its account, and shows when its flow ran last', async (t) => {
  const { db, flow } = await setUp(t)
  const runs = await addRuns(db, flow, 3)
  const [first] = runs
  if (!first) return t.fail()
  t.deepEqual(await findFlowRun(db, { accountId, runId: first.id }), first)
  t.is(await findFlowRun(db, { accountId: 'b', runId: first.id }), null)
  t.is((await findFlowById(db, { accountId, flowId: flow.id }))?.lastRunAt, 3)
})

test('deleting a flow deletes its versions at once, and its runs in batches', async (t) => {
  const { db, flow } = await setUp(t)
  const kept = await makeFlow(db, flowDefinition({ accountId }, flowDocument({ name: 'Kept', path: 'kept' })))
  await addRuns(db, flow, 5)
  const [other] = await addRuns(db, kept, 1)
  const key = { accountId, flowId: flow.id }
  t.is(await nextFlowPurge(db, 8e12), null)
  await db.transaction((tx) => removeFlow(tx, key, 7))
  t.is(await findFlowById(db, key), null)
  t.deepEqual(await readVersions(db, key), [])
  t.is(await nextFlowPurge(db, 6), null, 'a run may still leave its row')
  const first = await nextFlowPurge(db, 7)
  t.deepEqual(first, { flowId: flow.id, after: '' })
  const batches: number[] = []
  for (let purge = first, more = true; purge && more; ) {
    const batch = await purgeRuns(db, purge, 2)
    batches.push(batch.rows)
    purge = { ...purge, after: batch.after }
    more = batch.more
  }
  t.deepEqual(batches, [2, 2, 1, 0])
  t.is(await nextFlowPurge(db, 8e12), null)
  t.deepEqual(await findFlowRun(db, { accountId, runId: other?.id ?? '' }), other ?? null)
  t.is((await readVersions(db, { flowId: kept.id })).length, 1)
})

const everything = { rest: true, except: [] }

test('a page has the requested flows that may be seen, in any order', async (t) => {
  const { db } = await testDatabase(t)
  for (const [n, name] of ['zebra', 'Äpfel', 'STRASSE'].entries()) {
    const of = { accountId, id: `f${n}`, createdAt: n, activated: n !== 1 }
    await makeFlow(db, flowDefinition(of, flowDocument({ name, path: `p${n}` })))
  }
  await makeFlow(db, flowDefinition({ accountId: 'b', id: 'x' }))
  const ids = async (set: Partial<FlowSet>, order: 'createdAt' | 'name' = 'createdAt') => {
    const filters = JSON.stringify(set.filters ?? {})
    const request = { limit: 10, order, direction: 'asc', filters, after: '' } as const
    const page = await readFlowPage(db, { accountId, visible: everything, filters: {}, ...set }, request)
    return page.data.map(({ id }) => id)
  }
  t.deepEqual(await ids({}), ['f0', 'f1', 'f2'])
  t.deepEqual(await ids({}, 'name'), ['f2', 'f0', 'f1'])
  t.deepEqual(await ids({ filters: { name: { kind: 'starts', text: 'äp' } } }), ['f1'])
  t.deepEqual(await ids({ filters: { activated: true } }), ['f0', 'f2'])
  t.deepEqual(await ids({ visible: { rest: false, except: ['f0', 'x'] } }), ['f0'])
  t.deepEqual(await ids({ visible: { rest: true, except: ['f0'] } }), ['f1', 'f2'])
})
