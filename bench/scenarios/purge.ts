import type { Database } from '#shared/data/database.ts'
import { removeList } from '#shared/data/lists/list-changes.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { openTestDatabase } from '../../test/support/databases/database.ts'
import { addManyItems } from '../../test/support/databases/many-items.ts'
import { type BenchAccount, makeAccount } from '../support/account.ts'
import { until } from '../support/clock.ts'
import { type Listd, startListd } from '../support/listd.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { timeWrites, type WriteTimes } from '../support/write-times.ts'
import { reportWrites } from './write-waits.ts'

const items = 60_000

/** How long a write of another process waits while the gateway purges a deleted list, compared with the idle service. */
export async function purge({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  const account = await makeAccount(listd)
  const seconds = 1.5 * share
  const runs = await alternate(rounds, {
    subject: () => timeBesidePurge(listd, { account, seconds, count: items * share }),
    yardstick: () => timeWrites(listd.dataDir, seconds),
  })
  reportWrites(runs, `a transaction of one row beside the purge of ${items * share} items, and beside nothing:`)
}

async function timeBesidePurge(
  { dataDir }: Listd,
  { account, seconds, count }: { account: BenchAccount; seconds: number; count: number },
): Promise<WriteTimes> {
  const db = await openTestDatabase(dataDir, { readers: 1 })
  try {
    const [listId = ''] = await account.makeLists(['gone'])
    await addManyItems(db, { accountId: account.accountId, listId, count, dataLength: 500, tag: 'red' })
    const list = await findList(db, account.accountId, listId)
    if (list) await db.transaction(async (tx) => removeList(tx, list, await tx.now()))
    await until(async () => (await itemsLeft(db)) < count, { what: 'the first batch' })
    const times = await timeWrites(dataDir, seconds)
    if ((await itemsLeft(db)) === 0) throw new Error('the purge was over before the last write')
    const isOver = async () => (await db.all('select * from list_purges')).length === 0
    await until(isOver, { what: 'the end of the purge', withinMs: 300_000 })
    return times
  } finally {
    await db.close()
  }
}

async function itemsLeft(db: Database): Promise<number> {
  return (await db.get<{ n: number }>('select count(*) as n from items'))?.n ?? 0
}
