import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from 'nats'
import type { Logger } from '#shared/log/logger.ts'
import { backOffMs } from './back-off.ts'
import { isAlive } from './liveness.ts'
import { pause, succeedsWithin } from './waits.ts'

export type ConnectionSettings = {
  /** `nats://[user:password@]host:port`, `tls://…` to require TLS. */
  url: string
  credsFile?: string
  tls?: boolean
  /** Shown by the server in its list of connections. */
  name: string
}

/** Sets up what lives on a connection. Subscriptions of an earlier connection are gone by then. */
export type Attachment = (nats: NatsConnection) => void

/** A connection that is made again for ever; whatever lives on it is attached anew to each one. */
export type Connection = {
  /** The connection of this moment; null while NATS is away. */
  current(): NatsConnection | null
  /** Runs at once when connected, and on every later connection. */
  attach(run: Attachment): void
  close(): Promise<void>
}

const firstAttemptMs = 1_000
const handshakeMs = 10_000
const pulseMs = 2_000
const pulseAnswerMs = 4_000
const stableMs = 5_000

/**
 * Connects, and connects again whenever the connection ends. nats.js's own reconnecting is turned off: it buffers what is
 * published meanwhile without a bound and does not tell of a server that stays connected and answers nothing.
 * @returns after the first attempt, or after a second when that takes longer
 */
export async function openConnection(settings: ConnectionSettings, log: Logger): Promise<Connection> {
  const attachments: Attachment[] = []
  const closing = new AbortController()
  const firstAttempt = Promise.withResolvers<void>()
  let current: NatsConnection | null = null

  async function keepConnected(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      current = await tryToConnect(settings, { log, quiet: failures > 0 })
      firstAttempt.resolve()
      const lastedMs = current ? await serve(current, { attachments, closing: closing.signal, log }) : 0
      current = null
      failures = lastedMs > stableMs ? 0 : failures + 1
      await pause(backOffMs(failures, Math.random()), closing.signal)
    }
  }

  void keepConnected()
  await succeedsWithin(firstAttemptMs, firstAttempt.promise)
  return {
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

/** @returns null when it failed; told once per absence */
async function tryToConnect(
  settings: ConnectionSettings,
  { log, quiet }: { log: Logger; quiet: boolean },
): Promise<NatsConnection | null> {
  try {
    return await connect(await connectionOptions(settings))
  } catch (error) {
    if (!quiet) log('nats.unavailable', { reason: String(error) })
    return null
  }
}

/** Lives on one connection until it ends. @returns milliseconds that it lasted */
async function serve(
  nats: NatsConnection,
  { attachments, closing, log }: { attachments: readonly Attachment[]; closing: AbortSignal; log: Logger },
): Promise<number> {
  const since = performance.now()
  const close = () => void nats.close()
  const heartbeat = setInterval(() => void endWhenSilent(nats), pulseMs)
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

/** A frozen server or a dead network keeps the socket open: what answers no ping is closed, and connected anew. */
async function endWhenSilent(nats: NatsConnection): Promise<void> {
  if (!(await isAlive(nats, pulseAnswerMs))) await nats.close()
}

async function connectionOptions({ url, credsFile, tls, name }: ConnectionSettings): Promise<ConnectionOptions> {
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
