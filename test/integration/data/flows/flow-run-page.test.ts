import test, { type ExecutionContext } from 'ava'
import { type FlowRunFilters, readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { hasFlow } from '#shared/data/flows/flows.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { reportOf } from '#shared/domain/flow/run/report.ts'
import type { FlowRunRecord } from '#shared/domain/flow/run/run-record.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testIdAt } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = 'a'

/** Six runs of two flows of an account, one per second, and one run of another account. */
async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const make = (name: string, of = accountId) =>
    makeFlow(db, flowDefinition({ accountId: of }, flowDocument({ name, path: name })))
  const [first, second, foreign] = [await make('one'), await make('two'), await make('one', 'b')]
  const more: Partial<FlowRunRecord>[] = [
    {},
    { status: 'failed' },
    { trigger: 'hand' },
    { status: 'refused' },
    { status: 'failed', trigger: 'hand' },
    {},
  ]
  const runs = more.map((of, n) =>
    flowRun(n % 2 ? second : first, { id: testIdAt(n * 1_000), createdAt: n * 1_000, ...of }),
  )
  const others = [flowRun(foreign, { id: testIdAt(2_500) })]
  await db.transaction((tx) => insertRows(tx, flowRunRows([...runs, ...others])))
  const read = async (filters: FlowRunFilters, which: { page: number } | { after: string }, limit = 20) => {
    const request = {
      limit,
      order: 'startedAt',
      direction: 'desc',
      filters: JSON.stringify(filters),
      ...which,
    } as const
    const page = await readFlowRunPage(db, { accountId, ...filters }, request)
    return { ...page, data: page.data.map((run) => runs.findIndex(({ id }) => id === run.id)) }
  }
  return { db, first, second, foreign, read, runs }
}

test('a page has the matching runs of the account, newest first, and counts them', async (t) => {
  const { db, first, second, foreign, read } = await setUp(t)
  const expected: [FlowRunFilters, number[]][] = [
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ flowId: first.id }, [4, 2, 0]],
    [{ status: 'failed' }, [4, 1]],
    [{ flowId: second.id, status: 'failed' }, [1]],
    [{ trigger: 'hand' }, [4, 2]],
    [{ trigger: 'hand', flowId: first.id, status: 'failed' }, [4]],
    [{ startAt: 1_000, endAt: 3_000 }, [3, 2, 1]],
    [{ startAt: 1_001, endAt: 2_999, flowId: first.id }, [2]],
    [{ trigger: 'endpoint', startAt: 3_000 }, [5, 3]],
    [{ flowId: '' }, []],
  ]
  for (const [filters, data] of expected) {
    const said = JSON.stringify(filters)
    t.deepEqual(await read(filters, { page: 1 }), { page: 1, limit: 20, total: data.length, data }, said)
    t.like(await read(filters, { after: '' }), { next: null, data }, said)
    const half = await read(filters, { page: 2 }, 2)
    t.deepEqual(half.data, data.slice(2, 4), said)
  }
  t.true(await hasFlow(db, { accountId, flowId: first.id }))
  t.false(await hasFlow(db, { accountId, flowId: foreign.id }))
})

test('pages by cursor continue where the previous one ended', async (t) => {
  const { read } = await setUp(t)
  for (const filters of [{}, { trigger: 'endpoint' } as const]) {
    const whole = await read(filters, { after: '' })
    const found: number[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await read(filters, { after }, 2)
      found.push(...page.data)
      after = 'next' in page ? page.next : null
    }
    t.deepEqual(found, whole.data)
  }
})

test('a page has the first line of each report, whatever the steps', async (t) => {
  const { db, first } = await setUp(t)
  const outcome = { kind: 'answered', status: 200, headers: {}, body: '"ä\\n\\\\"' } as const
  const step = { node: 'a', type: 'compute', inputs: {}, result: 'ä'.repeat(3_000), port: null, fuel: 1 } as const
  const report = reportOf({ outcome, writes: [], emits: [], steps: [step] })
  const run = flowRun(first, { id: testIdAt(9_000), report })
  await db.transaction((tx) => insertRows(tx, flowRunRows([run])))
  const request = { limit: 1, order: 'startedAt', direction: 'desc', filters: '', after: '' } as const
  const { data } = await readFlowRunPage(db, { accountId }, request)
  const { seed: _seed, input: _input, report: _report, errorCode: _code, ...shown } = run
  t.deepEqual(data, [{ ...shown, summary: report.slice(0, report.indexOf('\n')) }])
})
