import type { RunIds } from '#shared/errors.ts'

/** What a handler answers: the result of one of the functions below. */
export type Response = Head & {
  /**
   * Text that is sent as UTF-8, or its bytes. JSON of some megabytes comes as bytes: to turn all of it into bytes at once would keep
   * others waiting.
   */
  body?: string | Buffer
}

/** A response that is sent while it is generated. */
export type StreamResponse = Head & {
  body: Stream
  /** Called once when it is over, also when the reader went before it began. */
  ended?: (() => void) | undefined
}

/**
 * Yields the pieces of a body, each when it is requested: the one before it has been sent by then, but for what Node keeps for a
 * connection (64 KiB). It ends soon after `signal` is aborted, because the reader has gone or the gateway stops. A connection without
 * traffic for 5 minutes is closed, so what may wait longer sends something meanwhile.
 */
export type Stream = (signal: AbortSignal) => AsyncIterable<string | Buffer>

type Head = {
  /** One that the route declares, or that of a flow's answer. */
  status: number
  /** The content type of the body; absent: JSON. */
  type?: string
  headers?: Headers | undefined
  /** Who may keep the response, and for how long; absent: no cache, because responses may hold secrets and depend on the principal. */
  cacheControl?: string
  /** Of a read that shows something with revisions: what its etag is of. */
  state?: ShownState
  /** Programs of other origins may not read it. */
  sameOrigin?: true
  /** The run of a flow that produced it, for the log. */
  run?: RunIds
}

/** A revision, and what the bytes of an answer depend on in addition to the query. */
export type ShownState = { revision: number; shown: string }

/** What routes answer with, but for errors, flows, and 304 to a client that has kept the answer of a read. */
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

/** 303: the client is to read another address. */
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
