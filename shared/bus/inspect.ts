import { setTimeout as pause } from 'node:timers/promises'
import { connect, type NatsConnection, NatsError } from 'nats'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import { type ConnectionSettings, connectionOptions } from './connection.ts'
import { managerOf, maxStreamBytes, streamName } from './stream.ts'

/** What a NATS server allows to whoever has the configured credentials. */
export type NatsLimits = {
  /** The longest message, in bytes. */
  maxPayload: number
  clustered: boolean
  /** Bytes that the account's streams may still take; infinite without a limit; null: JetStream cannot be used. */
  freeStorage: number | null
  /** The bytes that the stream of events may take; none of them is free any more once it exists. */
  neededStorage: number
}

const answerMs = 10_000

/**
 * Connects as services do and asks for the limits.
 * @throws Error with a reason in a few words, never with the credentials
 */
export async function inspectNats(settings: ConnectionSettings): Promise<NatsLimits> {
  return withTimeLimit(inspect(settings), answerMs, () => {
    throw new Error('it does not answer')
  })
}

async function inspect(settings: ConnectionSettings): Promise<NatsLimits> {
  const nats = await connectPatiently(settings)
  try {
    const manager = await managerOf(nats)
    const { max_payload: maxPayload = 0, cluster } = nats.info ?? {}
    const account = await manager.getAccountInfo().catch(() => null)
    const exists = await manager.streams.info(streamName).then(
      () => true,
      () => false,
    )
    return {
      ...{ maxPayload, clustered: cluster !== undefined, neededStorage: exists ? 0 : maxStreamBytes },
      freeStorage: account && freeOf(account.limits.max_storage, account.storage),
    }
  } finally {
    await nats.close()
  }
}

const tries = 3
const retryMs = 500

/** A server that has much to do may close a connection that takes long to sign in: services try again, too. */
async function connectPatiently(settings: ConnectionSettings): Promise<NatsConnection> {
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
