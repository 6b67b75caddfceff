import { setTimeout as pause } from 'node:timers/promises'
import { connect, type NatsConnection, NatsError } from 'nats'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import { type ConnectionSettings, connectionOptions } from './connection.ts'
import { namesOf } from './names.ts'
import { eventsSubject, managerOf, maxStreamBytes } from './stream/stream.ts'

/** The limits of a NATS server for a client with the configured credentials. */
export type NatsLimits = {
  /** The longest message, in bytes. */
  maxPayload: number
  clustered: boolean
  /** Free bytes for the account's streams; infinite without a limit; null: JetStream is not available. */
  freeStorage: number | null
  /** The bytes of the event stream, which are reserved once it exists. */
  neededStorage: number
  /** The streams of other installations on the same account. */
  others: string[]
}

const answerMs = 10_000

/** `prefix` is null when the installation's is not known, because there is no database. */
type InspectionSettings = Omit<ConnectionSettings, 'prefix'> & { prefix: string | null }

/**
 * Connects as services do and asks for the limits.
 * @throws Error with a reason in a few words, never with the credentials
 */
export async function inspectNats(settings: InspectionSettings): Promise<NatsLimits> {
  return withTimeLimit(inspect(settings), answerMs, () => {
    throw new Error('it does not answer')
  })
}

async function inspect({ prefix, ...settings }: InspectionSettings): Promise<NatsLimits> {
  const nats = await connectPatiently(settings)
  try {
    const manager = await managerOf(nats)
    const { max_payload: maxPayload = 0, cluster } = nats.info ?? {}
    const account = await manager.getAccountInfo().catch(() => null)
    const streams = account ? await manager.streams.names(`*.${eventsSubject}`).next() : []
    const own = prefix === null ? null : namesOf(prefix).stream
    return {
      maxPayload,
      clustered: cluster !== undefined,
      freeStorage: account && freeOf(account.limits.max_storage, account.storage),
      neededStorage: own !== null && streams.includes(own) ? 0 : maxStreamBytes,
      others: streams.filter((stream) => stream !== own),
    }
  } finally {
    await nats.close()
  }
}

const tries = 3
const retryMs = 500

/** A busy server may close a connection that takes long to sign in, so this retries, as services do. */
async function connectPatiently(settings: Omit<ConnectionSettings, 'prefix'>): Promise<NatsConnection> {
  const options = await connectionOptions(settings)
  for (let left = tries - 1; ; left--) {
    try {
      return await connect(options)
    } catch (error) {
      if (left === 0 || isRejection(error)) throw new Error(reasonOf(error))
    }
    await pause(retryMs)
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof NatsError && /AUTH/.test(error.code)
}

function freeOf(max: number, used: number): number {
  return max < 0 ? Number.POSITIVE_INFINITY : max - used
}

function reasonOf(error: unknown): string {
  if (isRejection(error)) return 'it rejects the credentials'
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
  return code === 'CONNECTION_REFUSED' ? 'nothing listens there' : `the connection fails (${code})`
}
