import type { Database } from '#shared/data/database.ts'
import { removeList } from '#shared/data/lists/list-changes.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { addManyItems } from '../../../test/support/databases/contents/many-items.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { quantile, ratios } from '../../../test/support/load/statistics.ts'
import { monotonicMs, until } from '../../support/clock.ts'
import { applyOpenLoop } from '../../support/loads/open-loop.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { cpuSeconds } from '../../support/measures/processes.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { timeWrites } from '../../support/measures/write-times.ts'
import { type BenchAccount, itemBody, makeAccount } from '../../support/worlds/account.ts'
import { type Listd, pidOf, startListd } from '../../support/worlds/listd.ts'
import { reportWrites } from './write-waits.ts'

const items = 100_000

/**
 * What the purge of a deleted list costs the gateway, in its first half and in its second, and how long others wait during it: a
 * write of another process, and requests.
 */
export async function purge({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  const world: World = { listd, account: await makeAccount(listd), count: items * share, seconds: 3 * share }
  await world.account.makeLists(['things'])
  await reportAlone(world, rounds)
  const writes = await alternate(rounds, {
    subject: () => duringPurge(world, () => timeWrites(listd.dataDir, world.seconds)),
    yardstick: () => timeWrites(listd.dataDir, world.seconds),
  })
  reportWrites(writes, `a transaction of one row during the purge of ${rounded(world.count)} items, and without one:`)
  const creates = await alternate(rounds, {
    subject: () => duringPurge(world, () => timeCreates(world)),
    yardstick: () => timeCreates(world),
  })
  reportCreates(creates)
}

type World = { listd: Listd; account: BenchAccount; count: number; seconds: number }

async function reportAlone(world: World, rounds: number): Promise<void> {
  const runs: { perSecond: number; micros: number[] }[] = []
  while (runs.length < rounds) runs.push(await purgeAlone(world))
  const [first, second] = [0, 1].map((half) => runs.map(({ micros }) => micros[half] ?? 0))
  figure('a purge alone', `${spread(runs.map(({ perSecond }) => perSecond))} items/s`)
  figure('  CPU of the gateway, first half', `${spread(first ?? [])} µs an item; target <= 150`)
  figure('  second half', `${spread(second ?? [])} µs, ${spread(ratios(second ?? [], first ?? []), 2)} of the first`)
}

/** @returns items a second, and the CPU of the gateway for each in the first and in the second half */
async function purgeAlone({ listd, account, count }: World): Promise<{ perSecond: number; micros: number[] }> {
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  try {
    await deleteList(db, { account, count })
    const marks: { left: number; at: number; cpu: number }[] = []
    for (const reach of [count - 1, count / 2, 0]) {
      const left = await untilLeft(db, reach)
      marks.push({ left, at: monotonicMs(), cpu: cpuSeconds(pidOf(listd, 'gateway')) })
    }
    const [start, half, end] = marks
    if (!start || !half || !end) throw new Error('the purge was not seen')
    const micros = [[start, half] as const, [half, end] as const].map(
      ([from, to]) => ((to.cpu - from.cpu) * 1e6) / (from.left - to.left),
    )
    return { perSecond: ((start.left - end.left) * 1_000) / (end.at - start.at), micros }
  } finally {
    await db.close()
  }
}

/** Waits until at most this many items are left. @returns how many are */
async function untilLeft(db: Database, reach: number): Promise<number> {
  let left = Number.POSITIVE_INFINITY
  const isReached = async () => {
    left = await itemsLeft(db)
    return left <= reach
  }
  await until(isReached, { what: `${reach} items`, withinMs: 300_000, everyMs: 200 })
  return left
}

/** Measures something while a list is purged. */
async function duringPurge<T>({ listd, account, count }: World, measure: () => Promise<T>): Promise<T> {
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  try {
    await deleteList(db, { account, count })
    await until(async () => (await itemsLeft(db)) < count, { what: 'the first batch' })
    const measured = await measure()
    if ((await itemsLeft(db)) === 0) throw new Error('the purge was over before the last write')
    const isOver = async () => (await db.all('select * from list_purges')).length === 0
    await until(isOver, { what: 'the end of the purge', withinMs: 300_000 })
    return measured
  } finally {
    await db.close()
  }
}

async function deleteList(db: Database, { account, count }: Pick<World, 'account' | 'count'>): Promise<void> {
  const [listId = ''] = await account.makeLists([`gone-${Date.now()}`])
  await addManyItems(db, { accountId: account.accountId, listId, count, dataLength: 400, tag: 'red', keyOf: scattered })
  const list = await findList(db, account.accountId, listId)
  if (list) await db.transaction(async (tx) => removeList(tx, list, await tx.now()))
}

/** Values in another order than the items: each item's entry is on another page of the index. */
const scattered = (n: number) => `key ${(n * 7_919) % 1_000_003}`

/** The items left of the deleted list; the creates at the same time are in another list. */
async function itemsLeft(db: Database): Promise<number> {
  const row = await db.get<{ n: number }>(
    'select count(*) as n from items where list_id in (select list_id from list_purges)',
  )
  return row?.n ?? 0
}

const createsPerSecond = 50

/** Milliseconds of each create, sent at random times. */
async function timeCreates({ listd, account, seconds }: World): Promise<number[]> {
  const headers = { 'x-api-token': account.token }
  const request = (n: number) => ({
    path: '/lists/things/items',
    headers,
    body: itemBody(`${Date.now()}-${n}`),
    mark: '',
  })
  const sent = await applyOpenLoop({ origin: listd.address, perSecond: createsPerSecond, seconds, request })
  return sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt)
}

function reportCreates({ subject, yardstick }: { subject: number[][]; yardstick: number[][] }): void {
  for (const part of [0.5, 0.99]) {
    const [during, quiet] = [subject, yardstick].map((runs) => runs.map((times) => quantile(times, part)))
    const ratio = spread(ratios(during ?? [], quiet ?? []), 2)
    const name = `  p${part * 100} of ${createsPerSecond} creates/s during it`
    figure(name, `${spread(during ?? [], 1)} ms, ${ratio} of quiet${part === 0.99 ? '; target <= 1.5' : ''}`)
  }
}
