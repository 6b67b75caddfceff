import type { Database } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { makeList } from '../../../test/support/databases/contents/rows.ts'
import { databaseSettings, openTestDatabase, takeEmpty } from '../../../test/support/databases/database.ts'
import { ratios } from '../../../test/support/load/statistics.ts'
import { temporaryFolder } from '../../support/cleared.ts'
import type { Pace } from '../../support/loads/pace.ts'
import { figure, spread } from '../../support/measures/report.ts'
import type { Committing, ListKey } from '../../support/programs/committing.ts'
import { type Program, startProgram } from '../../support/programs/program.ts'

const [processes, lists] = [3, 64]
/** Changes that each process commits at the same time: a single one is committed on its own, several that wait together as a group. */
const atATime = [1, 8]

/**
 * Creations a second of three committers, as three gateways have them: in one list, whose row they share; in many lists of one account;
 * and in lists of as many accounts, which share no row.
 */
export async function hotRows({ rounds, share }: Pace): Promise<void> {
  await using started = new AsyncDisposableStack()
  const { path: dataDir } = started.use(await temporaryFolder('hot-rows'))
  started.defer(await takeEmpty(dataDir))
  const db = await openTestDatabase(dataDir)
  started.defer(() => db.close())
  await migrate(db)
  const init = { dataDir, url: databaseSettings(dataDir).LISTD_DATABASE_URL ?? '' }
  const programs: Program<null>[] = []
  while (programs.length < processes) programs.push(started.use(await startProgram<null>('committing.ts', init)))
  const worlds = await createWorlds(db)
  for (const of of atATime) await compare(programs, { worlds, rounds, atATime: of, seconds: 4 * share })
}

type Worlds = Record<'apart' | 'account' | 'list', readonly ListKey[]>

async function createWorlds(db: Database): Promise<Worlds> {
  const create = async () => {
    const keys: ListKey[] = []
    while (keys.length < lists) keys.push(await makeList(db))
    return keys
  }
  const [apart, account] = [await create(), await create()]
  const accountId = account[0]?.accountId ?? ''
  for (const { listId } of account) {
    await db.run('update lists set account_id = ?, path_key = id where id = ?', [accountId, listId])
  }
  return { apart, account: account.map(({ listId }) => ({ accountId, listId })), list: [await makeList(db)] }
}

type Comparison = Omit<Committing, 'lists'> & { worlds: Worlds; rounds: number }

async function compare(programs: readonly Program<null>[], options: Comparison): Promise<void> {
  const { worlds, rounds, atATime, seconds } = options
  const commit = async (lists: readonly ListKey[]) => {
    const question: Committing = { lists, atATime, seconds }
    const counts = await Promise.all(programs.map((program) => program.ask<number>(question)))
    return counts.reduce((sum, count) => sum + count, 0) / seconds
  }
  await commit(worlds.apart) // lets V8 compile it
  const perSecond: Record<keyof Worlds, number[]> = { apart: [], account: [], list: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of ['apart', 'account', 'list'] as const) perSecond[name].push(await commit(worlds[name]))
  }
  figure(
    `${processes} processes, ${atATime} at a time`,
    `${spread(perSecond.apart)} /s in ${lists} lists of as many accounts`,
  )
  for (const [name, what] of [
    ['account', `${lists} lists of one account`],
    ['list', 'one list'],
  ] as const) {
    figure(`  ${what}, ratio`, `${spread(ratios(perSecond[name], perSecond.apart), 2)}; ${spread(perSecond[name])} /s`)
  }
}
