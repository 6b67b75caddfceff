// The one kept-alive connection of one webhook, and the undici client that owns it.
// - An endpoint is idle, busy (one exchange is open) or destroyed. The caller posts only while it is not busy, so there is
//   never more than one request on a connection, and every request has exactly one outcome.
// - Not one client for all webhooks: to end a connection that hangs the client must be destroyed, and a shared one would
//   take other webhooks' requests with it.
// - Not undici's pool, connector or timers: the connection goes to an address that the guard has just checked, and the
//   exchange's deadline covers look-up, connecting, sending and reading alike.

import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Client, type Dispatcher } from 'undici'
import type { ConnectMarks } from '#shared/domain/webhook/deliveries/attempt-details.ts'
import type { AddressGuard } from './address-guard.ts'
import { openConnection } from './connection.ts'
import { Exchange, type ExchangeConnection, type ExchangeOptions, type ExchangeRequest } from './exchange.ts'
import { ResponseLimiter } from './response-limiter.ts'

type EndpointOptions = {
  url: string
  guard: AddressGuard
  secureContext: SecureContext
  /** An unused connection is closed after this time, or earlier at the receiver's request. */
  idleMs: number
}

const maxHeadBytes = 16_384

/** The connection of one webhook. */
export class Endpoint implements ExchangeConnection {
  readonly url: string
  /** When the connection was opened, or the endpoint if there is no connection yet; monotonic milliseconds. */
  openedAt = performance.now()
  usedAt = this.openedAt
  readonly #target: URL
  readonly #path: string
  readonly #guard: AddressGuard
  readonly #secureContext: SecureContext
  readonly #client: Client
  readonly #abort = new AbortController()
  #exchange: Exchange | null = null
  #limiter: ResponseLimiter | null = null
  #requestsOnConnection = 0
  #marks: ConnectMarks | null = null

  constructor({ url, guard, secureContext, idleMs }: EndpointOptions) {
    this.url = url
    this.#target = new URL(url)
    this.#path = this.#target.pathname + this.#target.search
    this.#guard = guard
    this.#secureContext = secureContext
    this.#client = new Client(this.#target.origin, {
      allowH2: false,
      pipelining: 1,
      // The exchange's deadline covers everything: undici's own timers are coarse and restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeadBytes,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      connect: (_options, callback) => {
        this.#connect().then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
      },
    })
  }

  get isBusy(): boolean {
    return this.#exchange !== null
  }

  get isDestroyed(): boolean {
    return this.#client.destroyed
  }

  get isOnUsedConnection(): boolean {
    return this.#requestsOnConnection > 1
  }

  get receivedBytes(): number {
    return this.#limiter?.received ?? 0
  }

  get marks(): ConnectMarks | null {
    return this.#marks
  }

  /** Sends one request; the endpoint must not be busy. The outcome goes to `settle`, exactly once. */
  post(options: ExchangeOptions): void {
    this.usedAt = performance.now()
    this.#exchange = new Exchange(this, options)
    this.#exchange.start()
  }

  dispatch({ headers, body }: ExchangeRequest, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch({ method: 'POST', path: this.#path, headers, body }, handler)
  }

  requestStarts(): void {
    this.#requestsOnConnection += 1
    this.#limiter?.expectHead()
  }

  requestEnded(): void {
    this.#exchange = null
    this.usedAt = performance.now()
  }

  /** Interrupts the open request, if there is one. */
  interrupt(): void {
    this.#exchange?.interrupt()
  }

  /** Ends a look-up, a handshake or the connection immediately; the endpoint cannot be used again. */
  destroy(): void {
    this.interrupt()
    this.#abort.abort()
    if (!this.#client.destroyed) void this.#client.destroy()
  }

  async #connect(): Promise<Socket> {
    this.#requestsOnConnection = 0
    this.#limiter = null
    const { signal } = this.#abort
    const url = this.#target
    const marks = newMarks(url)
    this.#marks = marks
    const addresses = await this.#guard.addresses(url, signal)
    marks.resolvedAt = performance.now()
    const socket = await openConnection({ addresses, url, secureContext: this.#secureContext, signal, marks })
    this.#limiter = new ResponseLimiter(socket)
    this.openedAt = performance.now()
    return socket
  }
}

function newMarks({ protocol }: URL): ConnectMarks {
  const isPlain = protocol === 'http:'
  return { startedAt: performance.now(), resolvedAt: null, connectedAt: null, securedAt: null, isPlain }
}
