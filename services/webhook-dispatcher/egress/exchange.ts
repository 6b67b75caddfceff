import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import { keptResponseBytes } from '#shared/domain/limits.ts'
import type { AttemptError, AttemptOutcome } from '#shared/domain/webhook/delivery.ts'
import { EgressError, kindOfError } from './egress-error.ts'

/** What carries an exchange: the connection of one webhook. */
export type ExchangeConnection = {
  /** Hands the request to the client, which connects first where it has to. */
  dispatch(request: ExchangeRequest, handler: Dispatcher.DispatchHandler): void
  /** The request is about to be written. */
  requestStarts(): void
  /** The outcome is known. */
  requestEnded(): void
  /** Whether the request went over a connection that had served another. */
  readonly isOnUsedConnection: boolean
  /** Bytes that have come in answer to the request. */
  readonly receivedBytes: number
  destroy(): void
}

export type ExchangeRequest = {
  /** Names and values, one after the other. */
  headers: string[]
  body: Buffer
}

export type ExchangeOptions = {
  request: ExchangeRequest
  timeoutMs: number
  settle(outcome: AttemptOutcome): void
}

/**
 * One POST, from the start of its clock until its outcome is known (contract 2.7). The deadline is ours and covers
 * everything: look-up, connecting, sending, the head and what is read of the body; at it the socket is destroyed. A
 * complete head decides, whatever becomes of the body. A connection is kept only after a response that ended by
 * itself within the bytes we keep.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #carrier: ExchangeConnection
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

  constructor(carrier: ExchangeConnection, { request, timeoutMs, settle }: ExchangeOptions) {
    this.#carrier = carrier
    this.#request = request
    this.#settle = settle
    this.#timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.#drop('timeout'), timeoutMs)
  }

  start(): void {
    this.#carrier.dispatch(this.#request, this)
  }

  /** Breaks the request off, whatever phase it is in. */
  interrupt(): void {
    this.#drop('interrupted')
  }

  /** A connection may be ready only after the deadline, when the process stood still: by now others may send this. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isLate()) controller.abort(new EgressError('timeout', 'the connection was ready too late'))
    else this.#carrier.requestStarts()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Other queues below 200 announce another one; a 101 is the last we could read.
    if (status < 200 && status !== 101) return
    if (this.#isLate()) {
      this.#drop('timeout')
      return
    }
    this.#status = status
    if (status === 101) this.#drop('protocol')
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
    // undici refuses an upgrade it did not ask for before it tells the status, which then is 101.
    if (error.message === 'bad upgrade') this.#status = 101
    const kind = kindOfError(error)
    if (kind === 'connection' && this.#mayResend()) {
      this.#isResent = true
      // In a tick of its own: the client is still clearing up after the closed connection.
      setImmediate(() => {
        if (!this.#done) this.start()
      })
    } else this.#drop(kind)
  }

  /**
   * A kept connection that was closed just as we wrote, with not a byte of an answer: the request is sent once more
   * over a fresh one, within the same attempt and deadline. The receiver may have seen it already; deliveries are at
   * least once, and a receiver that closes idle connections would otherwise cost each of them a retry.
   */
  #mayResend(): boolean {
    return !this.#isResent && this.#carrier.isOnUsedConnection && this.#carrier.receivedBytes === 0
  }

  /** The timer cannot fire while the event loop is held up; what comes after the deadline is late all the same. */
  #isLate(): boolean {
    return performance.now() - this.#startedAt >= this.#timeoutMs
  }

  /** Ends without a response that ended by itself: the connection is of no more use. */
  #drop(kind: AttemptError): void {
    if (this.#done) return
    this.#finish(this.#status === null ? kind : null)
    this.#carrier.destroy()
  }

  #finish(error: AttemptError | null): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#timer)
    this.#carrier.requestEnded()
    const durationMs = Math.round(performance.now() - this.#startedAt)
    this.#settle({ status: this.#status, body: decode(this.#chunks), durationMs, error })
  }
}

/** Text of the kept bytes: what is no UTF-8 is replaced, a character cut off at the end left out, U+0000 replaced. */
function decode(chunks: Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  // A database's text column takes no U+0000.
  return new StringDecoder('utf8').write(bytes).replaceAll('\0', '\ufffd')
}
