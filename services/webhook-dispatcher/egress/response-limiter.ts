// Looks at what a socket has received before undici's parser does, because undici has no limit for everything that a receiver
// may send and treats an unrequested `100 Continue`, which is allowed before any response, as a broken one.
// - It receives `readable` before undici, which listens later. It reads the first bytes of a response, holds them until it is certain
//   whether they are an interim head, and returns the rest with `unshift`. After that it only compares a count.
// - Invariant: the parser gets what the socket received without interim heads, and at most 64 KiB per request.
// - Not a Transform stream, which would cost every response; and no method of the socket is replaced.

import type { Socket } from 'node:net'
import { EgressError } from './egress-error.ts'

/** Bytes that a receiver may send in response to one request: heads, the part of the body that is kept, and its framing. */
const maxResponseBytes = 65_536

/** `HTTP/1.1 100` */
const statusLineBytes = 12

/** A longer interim head is passed on. */
const maxHeldBytes = 4_096

/**
 * Counts what a connection receives, ends one that sends without end where undici has no limit (reason phrases, chunk
 * extensions, interim heads), and drops interim heads: 1xx, but not 101, after which nothing is HTTP.
 */
export class ResponseLimiter {
  readonly #socket: Socket
  /** The socket's count when the current request was about to be written. */
  #readBefore = 0
  #atHead = false
  #held: Buffer | null = null

  /** The socket must have no listener for `readable` yet. */
  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('readable', () => this.#look())
  }

  /** Bytes received in response to the current request, without those of TLS. */
  get received(): number {
    return this.#socket.bytesRead - this.#readBefore
  }

  /** A new request is about to be written. */
  expectHead(): void {
    this.#readBefore = this.#socket.bytesRead
    this.#atHead = true
    this.#held = null
  }

  #look(): void {
    if (this.received > maxResponseBytes) {
      // Consumed here, because the parser would still read it from a destroyed socket.
      this.#socket.read()
      this.#socket.destroy(new EgressError('protocol', 'the response is too long'))
    } else if (this.#atHead) {
      const chunk = this.#socket.read()
      const bytes = chunk === null ? null : this.#pastInterimHeads(chunk)
      if (bytes !== null) this.#socket.unshift(bytes)
    }
  }

  /** The bytes after any interim heads at the beginning, or null while these may still be incomplete. */
  #pastInterimHeads(chunk: Buffer): Buffer | null {
    let bytes = this.#held === null ? chunk : Buffer.concat([this.#held, chunk])
    let end = 0
    while (end >= 0 && isInterim(bytes)) {
      end = bytes.indexOf('\r\n\r\n')
      if (end >= 0) bytes = bytes.subarray(end + 4)
    }
    const isUnclear = end < 0 ? bytes.length <= maxHeldBytes : bytes.length < statusLineBytes
    this.#held = isUnclear ? bytes : null
    this.#atHead = isUnclear
    return isUnclear ? null : bytes
  }
}

/** `HTTP/1.1 1xx`, but not 101. */
function isInterim(bytes: Buffer): boolean {
  return (
    bytes.length >= statusLineBytes &&
    bytes[0] === 0x48 &&
    bytes[9] === 0x31 &&
    !(bytes[10] === 0x30 && bytes[11] === 0x31)
  )
}
