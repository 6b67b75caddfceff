import { hostname } from 'node:os'
import { type Bus, type BusOptions, connectBus } from '#shared/bus/bus.ts'
import { type HelloAnswer, hello, type Member } from '#shared/bus/messages/installation.ts'
import { prefixOf } from '#shared/bus/names.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database, Queries } from '#shared/data/database.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { findsMark, getInstallationId, leaveMark } from '#shared/data/settings/installation.ts'
import { readSettingFile } from '#shared/lifecycle/setting-file.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Logger } from '#shared/log/logger.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'

/** `failed` resolves with a sentence for the operator when it turns out later that this process must end. */
export type Joined = { bus: Bus; failed: Promise<string> }

type Joining = { service: string; config: Config; db: Database; log: Logger } & Pick<BusOptions, 'pingTimeoutMs'>

/** How long the start waits for objections, and how long they are accepted: a busy peer answers late. */
const startMs = 100
const objectionMs = 10_000

/** The prefix of everything that the installation of this database has on NATS. */
export async function natsPrefix({ nats }: Pick<Config, 'nats'>, db: Queries): Promise<string> {
  return nats.prefix === '' ? prefixOf(await getInstallationId(db)) : nats.prefix
}

/**
 * Connects to NATS under the names of the installation. Asks the processes that already use these names whether their database
 * has a mark that this process has just written into its own. A process without the mark serves another database under the same
 * names: of a copy, or of an installation with the same `nats.prefix`. Their log-ins and events would mix, so the process that
 * started later ends. Each connection asks again, because NATS may have been unreachable when the other process started.
 * @throws StartError with a sentence for the operator that names both, or `nats.credsFile` when it cannot be read
 */
export async function joinInstallation({ service, config, db, log, ...waits }: Joining): Promise<Joined> {
  // A wrong setting stops the start. Each connection reads the file again, because it may have been replaced.
  if (config.nats.credsFile !== '') readSettingFile('nats.credsFile', config.nats.credsFile)
  const prefix = await natsPrefix(config, db)
  const own = { service, host: hostname(), database: describeDatabase(config), since: Date.now() }
  const bus = await connectBus({ ...config.nats, ...waits, prefix, name: service, log })
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>()
  const meet = (stranger: Member) => {
    if (stranger.since <= own.since) fail(describeBoth({ prefix, own, stranger }))
  }
  bus.answerSurvey('installation.hello', {
    schema: hello,
    async answer({ mark, asker }): Promise<HelloAnswer> {
      const known = await findsMark(db, mark)
      if (!known) meet(asker)
      return { known, member: own }
    },
  })
  bus.onConnected(() => {
    findStranger(bus, { db, own }).then(
      (stranger) => stranger && meet(stranger),
      (error) => log('installation.not_asked', { reason: String(error) }),
    )
  })
  const failure = bus.connected() ? await withTimeLimit(failed, startMs, () => null) : null
  if (failure === null) return { bus, failed }
  await bus.close()
  // As with a data directory that another listd uses: the other process may be gone the next time.
  throw new StartError(startExitCodes.tryAgain, failure)
}

/** How long to wait for answers of the processes that run on a database, whose number is not known. */
const membersMs = 2_000

/** The processes that run on this database and answer. The survey ends none of them. */
export async function findMembers(bus: Bus, { config, db }: Pick<Joining, 'config' | 'db'>): Promise<Member[]> {
  const mark = await leaveMark(db)
  // Of two installations, the process that started later ends: no other started later than this time.
  const since = Number.MAX_SAFE_INTEGER
  const asker = { service: 'supervisor', host: hostname(), database: describeDatabase(config), since }
  const until = { withinMs: membersMs, isComplete: () => false }
  const answers = await bus.survey<HelloAnswer>('installation.hello', { mark, asker }, until)
  return answers.filter(({ known }) => known).map(({ member }) => member)
}

/** @returns a process that does not find this database's mark in its own; null when no process reports that */
async function findStranger(bus: Bus, { db, own }: { db: Database; own: Member }): Promise<Member | null> {
  const mark = await leaveMark(db)
  const answers = await bus.survey<HelloAnswer>(
    'installation.hello',
    { mark, asker: own },
    { withinMs: objectionMs, isComplete: (given) => given.some(({ known }) => !known) },
  )
  return answers.find(({ known }) => !known)?.member ?? null
}

/** The address of the database, without user and password. */
function describeDatabase({ database, dataDir }: Config): string {
  const file = databaseFile({ url: database.url, dataDir })
  if (file !== null) return file
  const { protocol, host, pathname } = new URL(database.url)
  return `${protocol}//${host}${pathname}`
}

function describeBoth({ prefix, own, stranger }: { prefix: string; own: Member; stranger: Member }): string {
  const describe = ({ service, host, database }: Member) => `the ${service} on ${host} with ${database}`
  return (
    `two installations use the names ${prefix}.* on this NATS server: ${describe(own)}, which stops now, and ${describe(stranger)}. ` +
    'If this database is a copy that runs next to its original, run "listd db new-id" for the copy. ' +
    'If nats.prefix is set, use a different prefix for each installation.'
  )
}
