import test from 'ava'
import type { Queries } from '#shared/data/database.ts'
import { findItemEvents } from '#shared/data/events/event-log.ts'
import { existingIdentityIds } from '#shared/data/identities/identities.ts'
import { findItems } from '#shared/data/items/items.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { watchPlans } from '../../../support/databases/plans.ts'

const [accountId, listId, ids] = ['account', 'list', ['one', 'two']]

const lookUps: [claim: string, table: string, find: (db: Queries) => Promise<unknown>][] = [
  ['items', 'i', (db) => findItems(db, { accountId, listId }, ids)],
  ['events', 'events', (db) => findItemEvents(db, accountId, ids)],
  ['identities', 'identities', (db) => existingIdentityIds(db, { accountId, ids })],
]

for (const [claim, table, find] of lookUps) {
  test(`${claim} are looked up by their ids, not among all of their list or account`, async (t) => {
    const { db } = await testDatabase(t)
    const { db: watched, plans } = watchPlans(db)
    await find(watched)
    const step = new RegExp(`^SEARCH ${table} USING INDEX sqlite_autoindex_\\w+ \\(id=\\?\\)`)
    t.true(
      plans.some(({ steps }) => steps.some((one) => step.test(one))),
      JSON.stringify(plans),
    )
  })
}
