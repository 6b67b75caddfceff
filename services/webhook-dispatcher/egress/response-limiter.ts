// Stands between a socket and undici's parser, because undici has no limit for everything that a receiver may send and
// takes an unrequested `100 Continue`, which is allowed before any response, for a broken one.
// - At the head (since `expectHead`) the first bytes are held until it is certain whether they are a `100 Continue`, which
//   is dropped. After that every chunk passes unchanged, at the cost of one comparison per read.
// - Invariant: what the parser gets is what the socket gave, less `100 Continue` heads, and at most 64 KiB per request.
// - Not a Transform stream: undici reads from the socket itself and relies on its methods and events.

import type { Socket } from 'node:net'
import { EgressError } from './egress-error.ts'

/** Bytes that a receiver may send in response to one request: heads, the part of the body that is kept, and its framing. */
const maxResponseBytes = 65_536

/** `HTTP/1.1 100` */
const statusLineBytes = 12

/** A `100 Continue` head that is longer than this is passed on. */
const maxHeldBytes = 1_024

/**
 * Counts what a connection receives, ends one that sends without end where undici has no limit (reason phrases, chunk
 * extensions), and drops `100 Continue`.
 */
export class ResponseLimiter {
  /** Bytes received in response to the current request. */
  received = 0
  readonly #socket: Socket
  #atHead = true
  #held: Buffer | null = null

  constructor(socket: Socket) {
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
        this.#socket.destroy(new EgressError('protocol', 'the response is too long'))
        return null
      }
      const bytes = this.#atHead ? this.#pastContinue(chunk) : chunk
      if (bytes !== null) return bytes
    }
    return null
  }

  /** The bytes behind any `100 Continue` heads at the beginning, or null while these may still be incomplete. */
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
