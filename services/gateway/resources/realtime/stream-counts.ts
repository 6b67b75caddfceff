import { createStreamsElsewhere, type StreamsOpen } from '#shared/domain/realtime/streams-elsewhere.ts'
import { AppError, unavailable } from '#shared/errors.ts'

/** How many streams are open, here and of an account on the other gateways. */
export type StreamCounts = {
  /**
   * Counts one more, until the returned function is called.
   * @throws SERVICE_UNAVAILABLE when the gateway has as many as it may have; RATE_LIMIT_EXCEEDED for the address;
   *   REALTIME_CONNECTION_LIMIT_EXCEEDED by the plan of the account, with `details.max`
   */
  open(stream: { accountId: string; address: string; max: number | null }): () => void
  /** Streams of this gateway. */
  count(): number
  /** Streams of an account on the other gateways. */
  elsewhere(accountId: string): number
  /** Counts of another gateway. */
  hear(message: StreamsOpen): void
  close(): void
}

/** How soon other gateways receive a change, and how often all counts. */
const reportMs = { change: 250, all: 10_000 } as const
/** The most entries of one message. */
const maxReported = 1_000

type Options = {
  instance: string
  /** The most streams of this gateway, and of one client address. */
  connections: number
  perAddress: number
  broadcast(message: StreamsOpen): void
  /** A monotonic clock in milliseconds. */
  now(): number
}

export function createStreamCounts(options: Options): StreamCounts {
  const { connections, perAddress } = options
  const [accounts, addresses] = [new Map<string, number>(), new Map<string, number>()]
  const others = createStreamsElsewhere(options)
  const reporting = createReporting(options, accounts)
  let open = 0

  function add(accountId: string, address: string, by: 1 | -1): void {
    open += by
    addTo(accounts, accountId, by)
    addTo(addresses, address, by)
    reporting.changed(accountId)
  }

  return {
    open({ accountId, address, max }) {
      if (open >= connections) throw unavailable('too many streams are open')
      if ((addresses.get(address) ?? 0) >= perAddress) {
        const message = `A client address may have at most ${perAddress} streams; close one first.`
        throw new AppError('RATE_LIMIT_EXCEEDED', { message, retryAfterSeconds: 5 })
      }
      if (max !== null && (accounts.get(accountId) ?? 0) + others.count(accountId) >= max) {
        throw new AppError('REALTIME_CONNECTION_LIMIT_EXCEEDED', { details: { max }, retryAfterSeconds: 5 })
      }
      add(accountId, address, 1)
      let isOpen = true
      return () => {
        if (isOpen) add(accountId, address, -1)
        isOpen = false
      }
    },
    count: () => open,
    elsewhere: others.count,
    hear: others.hear,
    close: reporting.stop,
  }
}

/** Reports changed counts to other gateways, and all counts at intervals. */
function createReporting({ instance, broadcast }: Options, accounts: ReadonlyMap<string, number>) {
  const changed = new Set<string>()
  let soon: NodeJS.Timeout | undefined

  function report(ids: readonly string[]): void {
    for (let n = 0; n < ids.length; n += maxReported) {
      const counts = ids
        .slice(n, n + maxReported)
        .map((accountId) => ({ accountId, count: accounts.get(accountId) ?? 0 }))
      broadcast({ instance, counts })
    }
  }

  function reportChanged(): void {
    soon = undefined
    report([...changed])
    changed.clear()
  }

  const everything = setInterval(() => report([...accounts.keys()]), reportMs.all).unref()
  return {
    changed(accountId: string): void {
      changed.add(accountId)
      soon ??= setTimeout(reportChanged, reportMs.change).unref()
    },
    stop(): void {
      clearTimeout(soon)
      clearInterval(everything)
    },
  }
}

function addTo(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count <= 0) counts.delete(key)
  else counts.set(key, count)
}
