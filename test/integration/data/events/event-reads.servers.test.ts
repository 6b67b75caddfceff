import test from 'ava'
import { countEvents, eventCounts } from '#shared/data/events/event-counts.ts'
import { countListDays, countSubjectDays } from '#shared/data/events/event-days.ts'
import { findPositions } from '#shared/data/events/event-positions.ts'
import { accountLog, type EventFilters, subjectLog } from '#shared/data/events/event-ranges.ts'
import { eventRows } from '#shared/data/events/events.ts'
import type { PageRequest } from '#shared/data/pages/page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'

const count = 10_000
const types = ['item-created', 'item-updated', 'item-deleted', 'list-updated'] as const

test('a page of a log reads only what it shows, from either end, within times, and for a rare type', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  const modelId = testId()
  const entries = Array.from({ length: count }, (_, n) => {
    const type = n % 5_000 === 0 ? types[3] : (types[n % 3] ?? '')
    const own = { id: testId(), createdAt: n, version: '1.0.0', revision: n + 1, modelId, listId }
    return { ...own, accountId, stream: 'item', type, actor: null, snapshot: null } as const
  })
  await real.transaction(async (tx) => {
    await insertRows(tx, eventRows(entries))
    await countEvents(tx, eventCounts(entries))
  })
  await analyze(real, 'events', 'event_count_shards')
  const filterSets: EventFilters[] = [
    {},
    { type: readTextFilter('list-updated') },
    { endAt: count - 100 },
    { startAt: 100 },
  ]
  for (const filters of filterSets) {
    for (const direction of ['asc', 'desc'] as const) {
      const request: PageRequest = { limit: 20, order: 'createdAt', direction, filters: '', after: '' }
      const { db, rowsRead } = countRowsRead(real)
      await findPositions(db, await accountLog(db, accountId, filters), request)
      atMost(t, rowsRead(), 200, `rows of the account's log, ${JSON.stringify(filters)} ${direction}`)
      if (filters.type) continue
      const ofSubject = countRowsRead(real)
      const log = await subjectLog(ofSubject.db, { accountId, stream: 'item', modelId }, filters)
      await findPositions(ofSubject.db, log, request)
      atMost(t, ofSubject.rowsRead(), 200, `rows of one thing's log, ${JSON.stringify(filters)} ${direction}`)
    }
  }
  const counting = countRowsRead(real)
  await countListDays(counting.db, { accountId, listId }, 300)
  atMost(t, counting.rowsRead(), 2_000, "rows of a list's days")
  const ofSubject = countRowsRead(real)
  await countSubjectDays(ofSubject.db, modelId, 300)
  atMost(t, ofSubject.rowsRead(), 2_000, "rows of one thing's days")
})
