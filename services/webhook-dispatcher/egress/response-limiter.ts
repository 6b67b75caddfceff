import type { TLSSocket } from 'node:tls'
import { EgressError } from './egress-error.ts'

/** Bytes a receiver may send in answer to one request: queues, what is kept of the body, and what came along with it. */
const maxResponseBytes = 65_536

/** `HTTP/1.1 100` */
const statusLineBytes = 12

/** A `100 Continue` head longer than this is passed on as it is. */
const maxHeldBytes = 1_024

/**
 * Stands between a connection and undici's parser. It counts what arrives, ends a connection that sends without end
 * where undici has no bound (reason phrases, chunk extensions), and drops `100 Continue`, which is allowed before any
 * response and which undici takes for a broken one. Costs one comparison per read once a head has begun.
 */
export class ResponseLimiter {
  /** Bytes that came in answer to the present request. */
  received = 0
  readonly #socket: TLSSocket
  #atHead = true
  #held: Buffer | null = null

  constructor(socket: TLSSocket) {
    this.#socket = socket
    const read = socket.read
    socket.read = (size?: number) => (size === 0 ? read.call(socket, 0) : this.#next(() => read.call(socket, size)))
  }

  /** A new request is about to be written. */
  expectHead(): void {
    this.received = 0
    this.#atHead = true
    this.#held = null
  }

  #next(read: () => Buffer | null): Buffer | null {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      this.received += chunk.length
      if (this.received > maxResponseBytes) {
        this.#socket.destroy(new EgressError('protocol', 'the response has no end'))
        return null
      }
      const bytes = this.#atHead ? this.#pastContinue(chunk) : chunk
      if (bytes !== null) return bytes
    }
    return null
  }

  /** What follows the `100 Continue` queues at the beginning, or null while that cannot be told yet. */
  #pastContinue(chunk: Buffer): Buffer | null {
    let bytes = this.#held === null ? chunk : Buffer.concat([this.#held, chunk])
    let end = 0
    while (end >= 0 && isContinue(bytes)) {
      end = bytes.indexOf('\r\n\r\n')
      if (end >= 0) bytes = bytes.subarray(end + 4)
    }
    const isUnclear = end < 0 ? bytes.length <= maxHeldBytes : bytes.length < statusLineBytes
    this.#held = isUnclear ? bytes : null
    this.#atHead = isUnclear
    return isUnclear ? null : bytes
  }
}

function isContinue(bytes: Buffer): boolean {
  return (
    bytes.length >= statusLineBytes &&
    bytes[0] === 0x48 &&
    bytes[9] === 0x31 &&
    bytes[10] === 0x30 &&
    bytes[11] === 0x30
  )
}
