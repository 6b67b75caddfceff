import type { ServerOptions } from 'node:http'
import { drainMs } from '#shared/lifecycle/stop-times.ts'
import { maxConnections } from '#shared/ops/open-files.ts'

/** The limits of one gateway process; past each it rejects at once instead of slowing all clients down. */
export type HttpLimits = {
  /** Time for the request line and all headers. */
  headersMs: number
  /** Time for the whole request, body included. */
  requestMs: number
  /** Time between two requests on one connection; longer than the 60 s of common load balancers, which must close first. */
  idleMs: number
  /** Time without traffic on a socket, for example when a client has stopped reading. Longer than the slowest response. */
  stalledMs: number
  /** How often sockets are checked against the first two times. */
  checkMs: number
  connections: number
  /** The most requests in flight. */
  inFlight: number
  /** The most open streams. Each has a connection; one piece and 64 KiB wait in memory for a slow reader. */
  streams: number
  /** The most bytes of request bodies in memory. */
  bodyBytes: number
  /** The share of these for parsed bodies larger than 64 KiB: values take many times the bytes. */
  parsedBytes: number
  /** The most bytes of responses that clients have not read yet. */
  unreadBytes: number
  /** The most requests of one connection that wait for the previous response. */
  pipelined: number
  /** The most bytes of a request's address and headers together. */
  headBytes: number
  /** How long requests in flight may take to finish when the server closes; then they are aborted with 503. */
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
