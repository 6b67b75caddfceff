import type { Database } from '#shared/data/database.ts'
import { openTestDatabase } from '../../test/support/databases/database.ts'
import { monotonicMs } from '../support/clock.ts'
import { indexes } from '../support/growth/contents.ts'
import {
  createGrownAccount,
  fillDeliveries,
  fillList,
  findFarCursors,
  type GrownAccount,
} from '../support/growth/grown-account.ts'
import {
  databaseBytes,
  type JobResult,
  purgeIndex,
  purgeList,
  retainEvents,
  type World,
} from '../support/growth/jobs.ts'
import { type Budget, type Measured, measure } from '../support/growth/measure.ts'
import { type Operation, operations } from '../support/growth/operations.ts'
import { printHead, printRow } from '../support/growth/table.ts'
import { tidyDatabase } from '../support/growth/tidy-database.ts'
import type { Pace } from '../support/loads/pace.ts'
import { print, rounded } from '../support/measures/report.ts'
import { type Listd, startListd } from '../support/worlds/listd.ts'

const allSizes = [10_000, 100_000, 1_000_000]
const quickSizes = allSizes.slice(0, 2)

const warmUp: Budget = { least: 2, most: 50, ms: 300 }
const run: Budget = { least: 2, most: 200, ms: 500 }

type Job = { title: string; run(world: World, account: GrownAccount): Promise<JobResult> }

/** Measurements that run once at each size, in this order, because the last one deletes everything. */
const jobs: readonly Job[] = [
  { title: 'retention, each event', run: retainEvents },
  { title: 'purge of an index, each item', run: purgeIndex },
  { title: 'purge of the list, each item', run: purgeList },
]

/**
 * The CPU of every kind of call, and of each purged row, on lists of several sizes. Each list is in a separate account, with as many
 * events and deliveries as items; all accounts are in one database and take turns.
 * @param options.sizes numbers of items
 * @param options.only parts of the titles of the measurements to run; absent: all of them
 */
export async function growth(
  pace: Pace,
  options: { sizes?: readonly number[] | undefined; only?: readonly string[] | undefined },
): Promise<void> {
  const { sizes = pace.share === 1 ? allSizes : quickSizes, only } = options
  const chosen = chosenOf(only)
  await using listd = await startListd()
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  try {
    const accounts: GrownAccount[] = []
    for (const size of sizes) accounts.push(await fill(listd, db, size))
    await tidyDatabase(listd.dataDir)
    for (const account of accounts) await findFarCursors(account)
    printHead(accounts.map(({ size }) => size))
    for (const operation of chosen.operations) await compare(listd, accounts, { operation, rounds: pace.rounds })
    for (const job of chosen.jobs) await compareJob({ listd, db }, accounts, job)
    for (const account of accounts) await account.close()
  } finally {
    await db.close()
  }
}

/** @throws Error when one of the texts is in no title, before hours have passed */
function chosenOf(only: readonly string[] = ['']): { operations: Operation[]; jobs: Job[] } {
  const titles = [...operations, ...jobs].map(({ title }) => title)
  const unknown = only.find((text) => !titles.some((title) => title.includes(text)))
  if (unknown !== undefined) throw new Error(`"${unknown}" is in no title; there are ${titles.join('; ')}`)
  const isChosen = ({ title }: { title: string }) => only.some((text) => title.includes(text))
  return { operations: operations.filter(isChosen), jobs: jobs.filter(isChosen) }
}

async function fill(listd: Listd, db: Database, size: number): Promise<GrownAccount> {
  const startedAt = monotonicMs()
  const account = await createGrownAccount(listd, size)
  const empty = await databaseBytes(db)
  await fillList(db, account)
  const filled = await databaseBytes(db)
  const filledAt = monotonicMs()
  await fillDeliveries(db, account)
  const perSecond = (fromMs: number, toMs: number) => `${rounded((size / (toMs - fromMs)) * 1_000)} /s`
  print(
    `  ${rounded(size)} items loaded at ${perSecond(startedAt, filledAt)}, their deliveries at ${perSecond(filledAt, monotonicMs())}; each item takes ${rounded((filled - empty) / size)} bytes with its event and its entries in ${Object.keys(indexes).length} indexes`,
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

async function compareJob(world: World, accounts: readonly GrownAccount[], { title, run }: Job): Promise<void> {
  const results: JobResult[] = []
  for (const account of accounts) results.push(await run(world, account))
  const bytes = results.at(-1)?.bytesOfEvent
  const withBytes = bytes === undefined ? title : `${title} of ${rounded(bytes)} bytes`
  printRow({ title: withBytes, runs: results.map(({ cpu }) => [{ cpu, marks: [] }]) })
}
