import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import { keptResponseBytes } from '#shared/domain/limits.ts'
import {
  type AttemptDetails,
  type ConnectMarks,
  detailedAfterMs,
  keptHeaders,
  phasesOf,
} from '#shared/domain/webhook/deliveries/attempt-details.ts'
import { type AttemptError, type AttemptOutcome, succeeded } from '#shared/domain/webhook/deliveries/delivery.ts'
import { EgressError, kindOfError } from './egress-error.ts'

/** By names in lower case; a repeated header has several values. */
type ResponseHeaders = Record<string, string | string[] | undefined>

/** What an exchange needs from its connection. */
export type ExchangeConnection = {
  /** Passes the request to the client, which connects first if necessary. */
  dispatch(request: ExchangeRequest, handler: Dispatcher.DispatchHandler): void
  /** The request is about to be written. */
  requestStarts(): void
  /** The outcome is known. */
  requestEnded(): void
  /** Whether the connection had carried a request before this one. */
  readonly isOnUsedConnection: boolean
  /** Bytes received in response to the request. */
  readonly receivedBytes: number
  /** When the last connection attempt reached which stage; null: there was none. */
  readonly marks: ConnectMarks | null
  destroy(): void
}

export type ExchangeRequest = {
  /** Names and values, alternating. */
  headers: string[]
  body: Buffer
}

export type ExchangeOptions = {
  request: ExchangeRequest
  timeoutMs: number
  /** Whether the outcome has details even if it is a quick success. */
  isDetailed: boolean
  settle(outcome: AttemptOutcome): void
}

/**
 * One POST, from the start of its clock until its outcome is known (contract 2.7). One deadline covers look-up,
 * connecting, sending, the response's head and what is read of its body; when it passes, the socket is destroyed. A
 * complete head decides the outcome, whatever happens to the body. The connection is kept only if the response ended on
 * its own within the bytes that we keep.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: ExchangeConnection
  readonly #request: ExchangeRequest
  readonly #settle: (outcome: AttemptOutcome) => void
  readonly #startedAt = performance.now()
  readonly #timeoutMs: number
  readonly #timer: NodeJS.Timeout
  #done = false
  #isResent = false
  #status: number | null = null
  #chunks: Buffer[] = []
  #kept = 0
  readonly #isDetailed: boolean
  #sentAt: number | null = null
  #headAt: number | null = null
  #headers: ResponseHeaders = {}

  constructor(connection: ExchangeConnection, { request, timeoutMs, isDetailed, settle }: ExchangeOptions) {
    this.#connection = connection
    this.#request = request
    this.#isDetailed = isDetailed
    this.#settle = settle
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#drop('timeout'), timeoutMs)
  }

  start(): void {
    this.#connection.dispatch(this.#request, this)
  }

  /** Interrupts the request, whatever phase it is in. */
  interrupt(): void {
    this.#drop('interrupted')
  }

  /** After a pause of the process the connection may be ready only past the deadline, when another may send this. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isLate()) controller.abort(new EgressError('timeout', 'the connection was ready too late'))
    else {
      this.#sentAt = performance.now()
      this.#connection.requestStarts()
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // A 1xx head announces another one, except 101, after which nothing is HTTP.
    if (status === 101) this.#drop('protocol')
    if (status < 200) return
    if (this.#isLate()) this.#drop('timeout')
    else {
      this.#status = status
      this.#headAt = performance.now()
      this.#headers = headers
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = keptResponseBytes - this.#kept
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#kept += chunk.length
    if (chunk.length > room) this.#drop('protocol')
  }

  onResponseEnd(): void {
    this.#finish(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#done) return
    const kind = kindOfError(error)
    if (kind === 'connection' && this.#mayResend()) {
      this.#isResent = true
      // In the next tick: the client is still cleaning up after the closed connection.
      setImmediate(() => {
        if (!this.#done) this.start()
      })
    } else this.#drop(kind)
  }

  /**
   * When a kept connection was closed just as we wrote, without a byte of a response, the request is sent again over
   * a new one, within the same attempt and deadline. The receiver may have seen it already, but deliveries are at least
   * once, and a receiver that closes idle connections would otherwise cost each of them a retry.
   */
  #mayResend(): boolean {
    return !this.#isResent && this.#connection.isOnUsedConnection && this.#connection.receivedBytes === 0
  }

  /** The timer cannot fire while the event loop is blocked, but a response after the deadline is still too late. */
  #isLate(): boolean {
    return performance.now() - this.#startedAt >= this.#timeoutMs
  }

  /** Ends before the response has: the connection cannot be used again. */
  #drop(kind: AttemptError): void {
    if (this.#done) return
    this.#finish(this.#status === null ? kind : null)
    this.#connection.destroy()
  }

  #finish(error: AttemptError | null): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#timer)
    this.#connection.requestEnded()
    const endedAt = performance.now()
    const durationMs = Math.round(endedAt - this.#startedAt)
    const outcome = { status: this.#status, body: decode(this.#chunks), durationMs, error }
    const isPlainSuccess = succeeded(outcome) && durationMs <= detailedAfterMs
    const hasDetails = this.#isDetailed || !isPlainSuccess
    this.#settle(hasDetails ? { ...outcome, details: this.#details(endedAt) } : outcome)
  }

  #details(endedAt: number): AttemptDetails {
    const { marks } = this.#connection
    const connecting = marks && marks.startedAt >= this.#startedAt ? marks : null
    const phases = phasesOf({ connecting, sentAt: this.#sentAt, headAt: this.#headAt, endedAt })
    return { phases, headers: this.#headAt === null ? null : keptHeaders(this.#headers) }
  }
}

/** Text of the kept bytes: invalid UTF-8 and U+0000 are replaced, a character cut off at the end is left out. */
function decode(chunks: Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  // Text columns of databases do not take U+0000.
  return new StringDecoder('utf8').write(bytes).replaceAll('\0', '\ufffd')
}
