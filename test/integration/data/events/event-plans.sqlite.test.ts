import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { countListDays, countSubjectDays } from '#shared/data/events/event-days.ts'
import {
  type EventQuery,
  findLastEvent,
  findVersionSnapshot,
  readAccountLog,
  readSubjectLog,
} from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import { deleteOldEvents, listEventPartitions } from '#shared/data/events/event-retention.ts'
import type { Direction, PageRequest } from '#shared/data/pages/page.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { logEvent, logStory } from '../../../support/databases/contents/events.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'

const start = Date.UTC(2026, 2, 1)

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  return { db, list: await makeList(db) }
}

type QueryOptions = { page?: number; after?: string; limit?: number; direction?: Direction; snapshots?: boolean }

function query(options: QueryOptions, filters: EventFilters): EventQuery {
  const { page = 1, after, limit = 20, direction = 'desc', snapshots = false } = options
  const common = { limit, order: 'createdAt', direction, filters: JSON.stringify(filters) }
  const request: PageRequest = after === undefined ? { ...common, page } : { ...common, after }
  return { request, filters, snapshots }
}

test('no page and no total scans the events, sorts them or reads those of others', async (t) => {
  const { db: real, list } = await world(t)
  const { accountId, listId } = list
  const { itemId } = await logStory(real, list, { steps: ['created', 'updated', 'deleted'], at: start })
  await logEvent(real, { accountId, type: 'list-updated', stream: 'list', modelId: listId, listId })
  const { db, plans } = watchPlans(real)
  const between = { startAt: start, endAt: start + 9 }
  const filters: EventFilters[] = [{}, { stream: readTextFilter('item') }, { type: readTextFilter('x') }, between]
  const pages = [
    {},
    { page: 2, limit: 2 },
    { after: '' },
    { after: '', direction: 'asc' },
    { snapshots: true },
  ] as const
  for (const filter of [...filters, { stream: readTextFilter('item'), ...between }]) {
    for (const options of pages) {
      await readAccountLog(db, accountId, query(options, filter))
      await readSubjectLog(db, { accountId, stream: 'item', modelId: itemId }, query(options, filter))
      await readSubjectLog(db, { accountId, stream: 'list', modelId: listId }, query(options, filter))
    }
  }
  await countListDays(db, list)
  await countSubjectDays(db, itemId)
  await findLastEvent(db, { accountId, listId, itemId })
  await findVersionSnapshot(db, { id: itemId, revision: 3 }, '1.0.0')
  t.deepEqual(
    // Grouping is allowed: it covers no more rows than a call examines.
    plans.flatMap(slowSteps).filter((step) => !/^(SCAN (found|CONSTANT ROW)|USE TEMP B-TREE FOR GROUP BY)$/.test(step)),
    [],
  )
  const searched = new Set(plans.flatMap(({ steps }) => steps.filter((step) => step.startsWith('SEARCH events'))))
  t.true(searched.size > 0)
  const ranges =
    /account_id_type_created_at_id_index \(account_id=\? AND type=\?|model_id_created_at_id_type_index|\(id=\?\)/
  for (const step of searched) t.regex(step, ranges)
})

test('no step scans the events or sorts them', async (t) => {
  const { db: real, list } = await world(t)
  const before = start + 1_000
  await logStory(real, list, { steps: ['created', 'deleted'], at: start })
  const watched = watchPlans(real)
  const plans = [watched.plans]
  const db: Database = {
    ...real,
    ...watched.db,
    transaction: (work) =>
      real.transaction((tx) => {
        const inside = watchPlans(tx)
        plans.push(inside.plans)
        return work({ ...tx, ...inside.db })
      }),
  }
  const [partition] = await listEventPartitions(db, { after: null, limit: 1 })
  for (let at = partition ?? null; at; ) at = (await deleteOldEvents(db, at, { createdUntil: before, rows: 200 })).next
  const steps = plans.flat().flatMap(slowSteps)
  t.deepEqual(steps, [])
  const searched = plans.flat().flatMap((plan) => plan.steps.filter((step) => / [en] USING/.test(step)))
  t.true(searched.some((step) => step.includes('account_id_type_created_at_id_index (account_id=? AND type=?')))
  t.true(searched.some((step) => step.includes('model_id_created_at_id_type_index (model_id=? AND created_at')))
  t.true(
    searched.every((step) => /account_id_type|model_id_created|\(id=\?\)|autoindex/.test(step)),
    searched.join('\n'),
  )
})
