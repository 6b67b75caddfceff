import type { ServerOptions } from 'node:http'

/** What one gateway process takes on; past each bound it refuses at once instead of slowing everybody down. */
export type HttpLimits = {
  /** Time for the request line and all headers. */
  headersMs: number
  /** Time for the whole request, body included. */
  requestMs: number
  /** Between two requests on one connection; longer than the 60 s of common limiter balancers, which must close first. */
  idleMs: number
  /** A socket on which nothing moves, say a client that stopped reading its answer. Longer than the slowest answer. */
  stalledMs: number
  /** How often sockets are held against the first two. */
  checkMs: number
  connections: number
  /** Requests being worked on. */
  inFlight: number
  /** Bytes of bodies held in memory by all of them. */
  bodyBytes: number
  /** Bytes of answers that clients have not taken yet. */
  unreadBytes: number
  /** Requests of one connection that wait for the answer before theirs. */
  pipelined: number
  headerBytes: number
  /** How long requests under way may take to finish when the server closes. */
  drainMs: number
}

export const httpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  stalledMs: 300_000,
  checkMs: 1_000,
  connections: 4_096,
  inFlight: 1_024,
  bodyBytes: 256 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
  pipelined: 16,
  headerBytes: 16 * 1024,
  drainMs: 5_000,
}

/** The same for `node:http`. */
export function serverOptions(limits: HttpLimits): ServerOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
    // Node would drop the second of two `authorization` headers in silence; joined, it is seen and refused.
    joinDuplicateHeaders: true,
    // A missing host is answered in the API's own form, see request-context.ts.
    requireHostHeader: false,
    noDelay: true,
  }
}
