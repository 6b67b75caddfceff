import type { FlowRunStatus, FlowRunSummary, FlowTrigger } from '#shared/domain/flow/run/run-record.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { endPage, filteredTotal, partOf, toPage } from '../pages/keyset.ts'
import type { OrderKey, Page, PageRequest } from '../pages/page.ts'
import { idBounds, narrowed, type Stretch, within } from '../pages/stretch.ts'
import { walk } from '../pages/walk.ts'
import { readWalked, type WalkedSet } from '../pages/walked-page.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { raw, sql } from '../sql/sql.ts'
import { throughIndex } from '../sql/statements.ts'
import { readRunSummaries } from './flow-runs.ts'

/** Runs of an account that pass filters. */
export type FlowRunSet = { accountId: string } & FlowRunFilters

export type FlowRunFilters = {
  flowId?: string
  status?: FlowRunStatus
  trigger?: FlowTrigger
  /** The earliest and the latest start, in epoch milliseconds. */
  startAt?: number
  endAt?: number
}

/**
 * One page of runs in the order of their ids, which is that of their start, without their steps. A filter on the trigger examines at most
 * 20,000 runs. A cursor page may then end early, with fewer rows than its limit or none; `next` continues from there.
 * @param set a `flowId` in it must belong to the account
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that needs more rows
 */
export async function readFlowRunPage(
  db: Queries,
  set: FlowRunSet,
  request: PageRequest,
): Promise<Page<FlowRunSummary>> {
  const { rows, examinedTo, examined, total } = await readWalked(walkedSet(db, set), request, partOf(request, isNoKey))
  const found = await readRunSummaries(db, rows.slice(0, request.limit))
  const page = endPage(request, rows, {
    position: (id) => ({ key: null, id }),
    bytes: (id) => Buffer.byteLength(found.get(id)?.summary ?? ''),
    examinedTo,
  })
  return toPage(request, { data: page.rows.flatMap((id) => found.get(id) ?? []), next: page.next, examined }, total)
}

const isNoKey = (key: OrderKey): key is null => key === null

function walkedSet(db: Queries, set: FlowRunSet): WalkedSet<string, null> {
  const { trigger } = set
  const from = rangeOf(set)
  return {
    walkingFilter: trigger === undefined ? null : 'trigger',
    ranges: 1,
    walk: (way) => walk<null>(db, [{ from, key: null, id: 'id' }], { ...way, bounds: idBounds(set) }),
    read: (part) => readIds(db, set, part),
    count: (stretch) => countRuns(db, set, stretch),
    total: trigger === undefined ? async () => filteredTotal(await countRuns(db, set, whole, maxCounted + 1)) : null,
    wording: { rows: 'runs', narrower: 'narrow the request by flowId, startAt and endAt' },
  }
}

const whole: Stretch<null> = { direction: 'desc', from: null, to: null }

/** The index range with the runs in the order of their ids, including those of other triggers. */
function rangeOf({ accountId, flowId, status }: FlowRunSet): Sql {
  const [column, id] = flowId === undefined ? (['account_id', accountId] as const) : (['flow_id', flowId] as const)
  const index = `flow_runs_${column}_${status === undefined ? '' : 'status_'}id_index`
  const ofStatus = status === undefined ? raw('') : sql` and status = ${status}`
  return sql`from ${throughIndex('flow_runs', index)} where ${raw(column)} = ${id}${ofStatus}`
}

function passing(set: FlowRunSet, stretch: Stretch<null>): Sql {
  const ofTrigger = set.trigger === undefined ? raw('') : sql` and trigger_type = ${set.trigger}`
  return sql`${rangeOf(set)}${within({ key: null, id: 'id' }, narrowed(stretch, idBounds(set)))}${ofTrigger}`
}

async function readIds(
  db: Queries,
  set: FlowRunSet,
  { limit, offset, ...stretch }: Stretch<null> & { limit: number; offset: number },
): Promise<string[]> {
  if (limit === 0) return []
  const order = raw(`order by id ${stretch.direction}`)
  const rows = await db.all(sql`select id ${passing(set, stretch)} ${order} ${limitRows({ limit, offset })}`)
  return rows.map(({ id }) => toText(id))
}

/** @param most the maximum to count; absent: all of the stretch, which a walk has measured */
async function countRuns(db: Queries, set: FlowRunSet, stretch: Stretch<null>, most?: number): Promise<number> {
  const end = most === undefined ? raw('') : limitRows({ limit: most, offset: 0 })
  const row = await db.get(sql`select count(*) as n from (select 1 as one ${passing(set, stretch)} ${end}) as found`)
  return toNumber(row?.n ?? 0)
}
