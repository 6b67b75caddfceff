import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { countEvents, eventCounts } from '#shared/data/events/event-counts.ts'
import { readAccountLog, readSubjectLog } from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import { eventRows } from '#shared/data/events/events.ts'
import type { CursorPage, Direction, PageRequest } from '#shared/data/pages/page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

/** The number of events of the subject: every 10,000th has a rare type, and ten at a time have the same time. */
const count = maxExamined + 1_001
const types = ['item-updated', 'item-deleted'] as const

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const modelId = testId()
  await fill(db, { accountId, listId, modelId })
  return { db, accountId, subject: { accountId, stream: 'item', modelId } as const }
}

async function fill(db: Database, subject: { accountId: string; listId: string; modelId: string }): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => {
    const type = types[Number(n % 10_000 === 0)] ?? ''
    const own = { id: testId(), createdAt: Math.floor(n / 10), version: '1.0.0', revision: n + 1 }
    return { ...subject, ...own, stream: 'item', type, actor: null, snapshot: null } as const
  })
  await db.transaction(async (tx) => {
    await insertRows(tx, eventRows(entries))
    await countEvents(tx, eventCounts(entries))
  })
}

type Query = { filters?: EventFilters; direction?: Direction } & ({ page: number } | { after: string })

function queryOf({ filters = {}, direction = 'desc', ...which }: Query) {
  const request: PageRequest = { limit: 20, order: 'createdAt', direction, filters: JSON.stringify(filters), ...which }
  return { request, filters, snapshots: false }
}

const rare = { type: readTextFilter('deleted') }

test('a page of a log examines 20,000 entries: by cursor it continues after them, by number it is too broad', async (t) => {
  const { db, accountId, subject } = await world(t)
  const read = (query: Query) => readSubjectLog(db, subject, queryOf(query))
  for (const direction of ['desc', 'asc'] as const) {
    const found: string[] = []
    const sizes: number[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = (await read({ filters: rare, direction, after })) as CursorPage<{ id: string }>
      found.push(...page.data.map(({ id }) => id))
      sizes.push(page.data.length)
      after = page.next
    }
    t.deepEqual([found.length, new Set(found).size, sizes.length], [3, 3, 2], sizes.join())
  }
  const details = { examined: maxExamined, parameter: 'type' }
  t.like(await t.throwsAsync(read({ filters: rare, page: 1 })), { name: 'QUESTION_TOO_BROAD', details })
  const fewer = { ...rare, startAt: 200 }
  t.like(await read({ filters: fewer, page: 1 }), { total: 2 })
  t.like(await read({ filters: { type: readTextFilter('updated') }, page: 2 }), { total: 10_000, totalIsAtLeast: true })
  t.like(await read({ filters: { type: readTextFilter('nothing') }, page: 1 }), { total: 0, data: [] })
  await ofAccount(t, db, accountId)
})

/** Reads the account's log in the same world, because it takes long to fill. */
async function ofAccount(t: ExecutionContext, db: Database, accountId: string): Promise<void> {
  const read = (query: Query) => readAccountLog(db, accountId, queryOf(query))
  const near = await read({ page: 990 })
  t.like(near, { total: count })
  t.is(near.data.length, 20)
  const details = { examined: maxExamined, parameter: 'page' }
  const beyond = await t.throwsAsync(read({ page: 1_001 }))
  t.like(beyond, { name: 'QUESTION_TOO_BROAD', status: 400, details })
  t.like(await read({ filters: rare, page: 1 }), { total: 3 })
  const far = (await read({ filters: { endAt: 0 }, after: '' })) as CursorPage<unknown>
  t.deepEqual([far.data.length, far.next], [10, null])
}
