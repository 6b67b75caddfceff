import type { RunIds } from '#shared/errors.ts'

/** The answer of a handler: the result of one of the functions below. */
export type Response = Head & {
  /**
   * Text that is sent as UTF-8, or its bytes. JSON of some megabytes is passed as bytes: encoding all of it at once would keep
   * others waiting.
   */
  body?: string | Buffer
}

/** A response that is sent while it is generated. */
export type StreamResponse = Head & {
  body: Stream
  /** Called once at the end, also when the reader disconnected before the beginning. */
  ended?: (() => void) | undefined
}

/**
 * Yields the pieces of a body, each when it is requested: the previous one has been sent by then, except for what Node buffers for a
 * connection (64 KiB). It ends soon after `signal` is aborted, because the reader disconnected or the gateway stops. A connection without
 * traffic for 5 minutes is closed, so a source that may wait longer must send something in between.
 */
export type Stream = (signal: AbortSignal) => AsyncIterable<string | Buffer>

type Head = {
  /** A status that the route declares, or that of a flow's answer. */
  status: number
  /** The content type of the body; absent: JSON. */
  type?: string
  headers?: Headers | undefined
  /** Who may keep the response, and for how long; absent: no cache, because responses may contain secrets and depend on the principal. */
  cacheControl?: string
  /** For a read that shows something with revisions: the source of its etag. */
  state?: ShownState
  /** Programs of other origins may not read it. */
  sameOrigin?: true
  /** The run of a flow that produced it, for the log. */
  run?: RunIds
}

/** A revision, and whatever else, in addition to the query, determines the bytes of an answer. */
export type ShownState = { revision: number; shown: string }

/** The statuses of routes, except for errors, flows, and 304 to a client that has cached the answer of a read. */
export type Status = 200 | 201 | 204 | 303 | 422

type Headers = Readonly<Record<string, string>>

/** 200 with a value as JSON. */
export function ok(value: unknown, headers?: Headers): Response {
  return { status: 200, body: JSON.stringify(value), headers }
}

/** 201 with a value as JSON. */
export function created(value: unknown, headers?: Headers): Response {
  return { status: 201, body: JSON.stringify(value), headers }
}

/** 204. */
export function none(headers?: Headers): Response {
  return { status: 204, headers }
}

/** A text that is JSON already, or its bytes. */
export function json(
  body: string | Buffer,
  options: Pick<Response, 'headers' | 'state'> & { status?: 200 | 201 | 422 } = {},
): Response {
  return { status: 200, body, ...options }
}

/** 200 with a document of another content type. */
export function bytes<Options extends { type: string; headers?: Headers; cacheControl?: string }>(
  body: string | Buffer,
  options: Options,
): Response & Options {
  return { status: 200, body, ...options }
}

/** 303: redirects the client to another address. */
export function redirect(location: string, headers?: Headers): Response {
  return { status: 303, headers: { location, ...headers } }
}

/** 200 with a body that is sent while it is generated; its route declares `streams`. */
export function stream(
  body: Stream,
  options: { type: string; headers?: Headers; cacheControl?: string; ended?: () => void },
): StreamResponse {
  return { status: 200, body, ...options }
}
