import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { succeedsWithin } from '#shared/time/time-limit.ts'
import { pause, retryMs } from './back-off.ts'
import { isAlive } from './liveness.ts'
import { type Names, namesOf } from './names.ts'

export type ConnectionSettings = {
  /** `nats://[user:password@]host:port`, `tls://…` to require TLS. */
  url: string
  credsFile?: string
  tls?: boolean
  /** The name in the server's list of connections. */
  name: string
  /** The prefix of the installation's names on NATS. */
  prefix: string
}

/** Sets up subscriptions on a new connection; those of the one before are gone. */
export type Attachment = (nats: NatsConnection) => void

/** A connection that is opened again whenever it ends; attachments run on each new one. */
export type Connection = {
  names: Names
  /** The current connection; null while NATS is unreachable. */
  current(): NatsConnection | null
  /** Runs at once when connected, and on every later connection. */
  attach(run: Attachment): void
  close(): Promise<void>
}

const firstAttemptMs = 1_000
const handshakeMs = 10_000
const heartbeatMs = 5_000
const heartbeatTimeoutMs = 4_000
const stableMs = 5_000

/**
 * Connects, and connects again whenever the connection ends. The reconnecting of nats.js is turned off: it buffers what is
 * published in the meantime without a limit, and does not notice a server that stays connected and answers nothing.
 * @returns after the first attempt, or after a second when that takes longer
 */
export async function openConnection(settings: ConnectionSettings, log: Logger): Promise<Connection> {
  const attachments: Attachment[] = []
  const closing = new AbortController()
  const firstAttempt = Promise.withResolvers<void>()
  let current: NatsConnection | null = null

  async function keepConnected(): Promise<void> {
    let failures = 0
    let reason: string | null = null
    while (!closing.signal.aborted) {
      const attempt = await tryToConnect(settings)
      current = attempt.nats
      // Logged once per reason: a server that rejects the password now may have been unreachable before.
      if (attempt.reason !== null && attempt.reason !== reason) log('nats.unavailable', { reason: attempt.reason })
      reason = attempt.reason
      firstAttempt.resolve()
      const lastedMs = current ? await serve(current, { attachments, closing: closing.signal, log }) : 0
      current = null
      failures = lastedMs > stableMs ? 0 : failures + 1
      await pause(retryMs(failures), closing.signal)
    }
  }

  void keepConnected()
  await succeedsWithin(firstAttempt.promise, firstAttemptMs)
  return {
    names: namesOf(settings.prefix),
    current: () => current,
    attach(run) {
      attachments.push(run)
      if (current) run(current)
    },
    async close() {
      closing.abort()
      await current?.closed()
    },
  }
}

/** @returns the connection, or why there is none */
async function tryToConnect(
  settings: ConnectionSettings,
): Promise<{ nats: NatsConnection; reason: null } | { nats: null; reason: string }> {
  try {
    return { nats: await connect(await connectionOptions(settings)), reason: null }
  } catch (error) {
    return { nats: null, reason: String(error) }
  }
}

/** Uses a connection until it ends. @returns the milliseconds that it lasted */
async function serve(
  nats: NatsConnection,
  { attachments, closing, log }: { attachments: readonly Attachment[]; closing: AbortSignal; log: Logger },
): Promise<number> {
  const since = performance.now()
  const close = () => void nats.close()
  const heartbeat = setInterval(() => void closeWhenSilent(nats), heartbeatMs)
  closing.addEventListener('abort', close)
  if (closing.aborted) close()
  else log('nats.connected', { server: nats.getServer() })
  try {
    for (const run of attachments) run(nats)
  } catch (error) {
    log('nats.setup_failed', { reason: String(error) })
    close()
  }
  await nats.closed()
  clearInterval(heartbeat)
  closing.removeEventListener('abort', close)
  if (!closing.aborted) log('nats.lost')
  return performance.now() - since
}

/** A frozen server or a dead network leaves the socket open, so a connection without an answer to a ping is closed. */
async function closeWhenSilent(nats: NatsConnection): Promise<void> {
  if (!(await isAlive(nats, heartbeatTimeoutMs))) await nats.close()
}

/** How every process connects: it does not connect again on its own. */
export async function connectionOptions({
  url,
  credsFile,
  tls,
  name,
}: Omit<ConnectionSettings, 'prefix'>): Promise<ConnectionOptions> {
  const { protocol, username, password, host } = new URL(url)
  return {
    servers: [host],
    name,
    timeout: handshakeMs,
    reconnect: false,
    noAsyncTraces: true,
    ...(tls || protocol === 'tls:' ? { tls: {} } : {}),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(credsFile ? { authenticator: credsAuthenticator(await readFile(credsFile)) } : {}),
  }
}
