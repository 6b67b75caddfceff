import type { ServerOptions } from 'node:http'
import { drainMs } from '#shared/lifecycle/stop-times.ts'
import { maxConnections } from '#shared/ops/open-files.ts'

/** The limits of one gateway process; past each it rejects at once instead of slowing all clients down. */
export type HttpLimits = {
  /** Time for the request line and all headers. */
  headersMs: number
  /** Time for the whole request, body included. */
  requestMs: number
  /** Between two requests on one connection; longer than the 60 s of common load balancers, which must close first. */
  idleMs: number
  /** A socket without traffic, as of a client that stopped reading. Longer than the slowest response. */
  stalledMs: number
  /** How often sockets are checked against the first two. */
  checkMs: number
  connections: number
  /** Requests in flight. */
  inFlight: number
  /** Streams that are open. Each has a connection; one piece and 64 KiB wait in memory for a slow reader. */
  streams: number
  /** Bytes of the bodies of requests in memory. */
  bodyBytes: number
  /** Of them bytes of bodies larger than 64 KiB that are parsed: values take many times the bytes. */
  parsedBytes: number
  /** Bytes of responses that clients have not read yet. */
  unreadBytes: number
  /** Requests of one connection that wait for the response before theirs. */
  pipelined: number
  /** Of a request's address and headers in all. */
  headBytes: number
  /** How long requests in flight may take to finish when the server closes; then they are cut off with 503. */
  drainMs: number
}

export const httpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  stalledMs: 300_000,
  checkMs: 2_500,
  connections: maxConnections,
  inFlight: 1_024,
  streams: 2_560,
  bodyBytes: 256 * 1024 * 1024,
  parsedBytes: 16 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
  pipelined: 16,
  headBytes: 16 * 1024,
  drainMs,
}

/** The same for `node:http`. */
export function serverOptions(limits: HttpLimits): ServerOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headBytes,
    // Node would drop the second of two `authorization` headers silently; joined, they are rejected.
    joinDuplicateHeaders: true,
    // The API's own error for a missing host is in request-context.ts.
    requireHostHeader: false,
    noDelay: true,
  }
}
