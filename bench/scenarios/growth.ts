import type { Database } from '#shared/data/database.ts'
import { openTestDatabase } from '../../test/support/databases/database.ts'
import { monotonicMs } from '../support/clock.ts'
import {
  fillDeliveries,
  fillList,
  findFarCursors,
  type GrownAccount,
  makeGrownAccount,
} from '../support/growth/grown-account.ts'
import { databaseBytes, purgeIndex, purgeList, retainEvents } from '../support/growth/jobs.ts'
import { type Budget, type Cpu, type Measured, measure } from '../support/growth/measure.ts'
import { type Operation, operations } from '../support/growth/operations.ts'
import { printHead, printRow } from '../support/growth/table.ts'
import { tidyDatabase } from '../support/growth/tidy-database.ts'
import { type Listd, startListd } from '../support/listd.ts'
import type { Pace } from '../support/pace.ts'
import { print, rounded } from '../support/report.ts'

const allSizes = [10_000, 100_000, 1_000_000]
const quickSizes = allSizes.slice(0, 2)

const warmUp: Budget = { least: 2, most: 50, ms: 300 }
const run: Budget = { least: 2, most: 200, ms: 500 }

/**
 * The CPU of every kind of call, and of what is purged, on lists of several sizes. Each is that of an account of its own, with as
 * many events and deliveries; all are in one database and take turns.
 * @param options.sizes numbers of items
 */
export async function growth(pace: Pace, { sizes }: { sizes?: readonly number[] | undefined }): Promise<void> {
  await using listd = await startListd()
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  try {
    const accounts: GrownAccount[] = []
    for (const size of sizes ?? (pace.share === 1 ? allSizes : quickSizes)) {
      accounts.push(await fill(listd, db, size))
    }
    await tidyDatabase(listd.dataDir)
    for (const account of accounts) await findFarCursors(account)
    printHead(accounts.map(({ size }) => size))
    for (const operation of operations) await compare(listd, accounts, { operation, rounds: pace.rounds })
    await compareJobs({ listd, db }, accounts)
    for (const account of accounts) await account.close()
  } finally {
    await db.close()
  }
}

async function fill(listd: Listd, db: Database, size: number): Promise<GrownAccount> {
  const startedAt = monotonicMs()
  const account = await makeGrownAccount(listd, size)
  const empty = await databaseBytes(db)
  await fillList(db, account)
  const filled = await databaseBytes(db)
  const tookMs = monotonicMs() - startedAt
  await fillDeliveries(db, account)
  print(
    `  ${rounded(size)} items: ${rounded((size / tookMs) * 1_000)} /s loaded; each takes ${rounded((filled - empty) / size)} bytes with its event and its entries in five indexes`,
  )
  return account
}

type Compared = { operation: Operation; rounds: number }

/** The sizes take turns, so that changes on the machine affect them alike. */
async function compare(
  listd: Listd,
  accounts: readonly GrownAccount[],
  { operation, rounds }: Compared,
): Promise<void> {
  for (const account of accounts) await measure(listd, account, { operation, budget: warmUp })
  const runs = accounts.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [n, account] of accounts.entries()) {
      runs[n]?.push(await measure(listd, account, { operation, budget: run }))
    }
  }
  printRow({ title: operation.title, runs })
}

/** What happens once: each at all sizes, the smallest first. */
async function compareJobs(world: { listd: Listd; db: Database }, accounts: readonly GrownAccount[]): Promise<void> {
  let bytes = 0
  const retain = async (account: GrownAccount) => {
    const { cpu, bytesOfEvent } = await retainEvents(world, account)
    bytes = bytesOfEvent
    return cpu
  }
  await compareJob(accounts, 'retention, each event', retain)
  await compareJob(accounts, 'purge of an index, each item', (account) => purgeIndex(world, account))
  await compareJob(accounts, 'purge of the list, each item', (account) => purgeList(world, account))
  print(`\n  an event of the largest account takes ${rounded(bytes)} bytes, with its snapshot`)
}

type Job = (account: GrownAccount) => Promise<Cpu>

async function compareJob(accounts: readonly GrownAccount[], title: string, job: Job): Promise<void> {
  const runs: Measured[][] = []
  for (const account of accounts) runs.push([{ cpu: await job(account), marks: [] }])
  printRow({ title, runs })
}
