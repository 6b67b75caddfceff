import type { SecureContext, TLSSocket } from 'node:tls'
import { Client, type Dispatcher } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { openConnection } from './connection.ts'
import { Exchange, type ExchangeConnection, type ExchangeOptions, type ExchangeRequest } from './exchange.ts'
import { ResponseLimiter } from './response-limiter.ts'

export type EndpointOptions = {
  url: string
  guard: AddressGuard
  secureContext: SecureContext
  /** An unused connection is closed after this; sooner where the receiver says so. */
  idleMs: number
}

const maxHeadBytes = 16_384

/**
 * The one connection of one webhook. A client of its own for each, because ending a connection that hangs means
 * destroying the client, and a shared one would take other webhooks' requests with it.
 */
export class Endpoint implements ExchangeConnection {
  readonly url: string
  /** When the connection, or before there is one the endpoint, came into being; monotonic milliseconds. */
  openedAt = performance.now()
  usedAt = this.openedAt
  readonly #target: URL
  readonly #path: string
  readonly #guard: AddressGuard
  readonly #secureContext: SecureContext
  readonly #client: Client
  readonly #abort = new AbortController()
  #exchange: Exchange | null = null
  #watch: ResponseLimiter | null = null
  #requestsOnConnection = 0

  constructor({ url, guard, secureContext, idleMs }: EndpointOptions) {
    this.url = url
    this.#target = new URL(url)
    this.#path = this.#target.pathname + this.#target.search
    this.#guard = guard
    this.#secureContext = secureContext
    this.#client = new Client(this.#target.origin, {
      allowH2: false,
      pipelining: 1,
      // The exchange's deadline covers everything: undici's own timers are coarse and start anew with every byte.
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
    return this.#watch?.received ?? 0
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
    this.#watch?.expectHead()
  }

  requestEnded(): void {
    this.#exchange = null
    this.usedAt = performance.now()
  }

  /** Breaks off the open request, if any. */
  interrupt(): void {
    this.#exchange?.interrupt()
  }

  /** Ends look-up, connecting and the connection at once, and the endpoint for good. */
  destroy(): void {
    this.interrupt()
    this.#abort.abort()
    if (!this.#client.destroyed) void this.#client.destroy()
  }

  async #connect(): Promise<TLSSocket> {
    this.#requestsOnConnection = 0
    this.#watch = null
    const { hostname: host, port } = this.#target
    const { signal } = this.#abort
    const addresses = await this.#guard.addresses(host, signal)
    const target = { addresses, host, port: Number(port || 443), secureContext: this.#secureContext, signal }
    const socket = await openConnection(target)
    this.#watch = new ResponseLimiter(socket)
    this.openedAt = performance.now()
    return socket
  }
}
