import type { IncomingMessage } from 'node:http'
import type { Request, ResponseToolkit } from '@hapi/hapi'
import type { Logger } from '#shared/log/logger.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { Principal } from '../request/principal.ts'
import { ClientGone, type Upload } from './input/body-bytes.ts'
import { assertHead, awaitsContinue } from './input/head.ts'
import type { OpenRequests } from './open-requests.ts'
import { requestId } from './request-id.ts'
import { asAppError, errorResponse } from './responses/error-response.ts'
import { type HttpResponse, type HttpStream, isStream, send } from './responses/respond.ts'
import type { ResponseBacklog } from './responses/response-backlog.ts'
import { type OpenStreams, type Sent, sendStream } from './streams.ts'

/** A request in flight and its response. */
export type RequestContext = Upload & {
  id: string
  client: ClientConnection
  path: string
  params: Record<string, string>
  query: Readonly<Record<string, unknown>>
  /** Anonymous until the request is authenticated. */
  principal: Principal
}

/** How one route is served; composed once, not for each request. */
export type CompiledRoute = {
  /** The route's template, in logs and metrics. */
  label: string
  handle(context: RequestContext): Promise<HttpResponse | HttpStream>
}

/** A request that has no response yet; `startedAt` is on the clock of `performance.now`. */
type OpenRequest = { route: CompiledRoute; context: RequestContext; startedAt: number }

/** What every request needs from the server. */
export type ServerContext = {
  log: Logger
  newId(): string
  backlog: ResponseBacklog
  open: OpenRequests<OpenRequest>
  streams: OpenStreams
  clientConnection(req: IncomingMessage): ClientConnection
  record(route: CompiledRoute, context: RequestContext, outcome: Outcome): void
  closing(): boolean
}

/** `bytes`: the length of a stream. */
export type Outcome = {
  status: number
  durationMs: number
  failure: HttpResponse['failure']
  run?: HttpResponse['run']
  bytes?: number
}

export type HapiHandler = (request: Request, h: ResponseToolkit) => Promise<symbol>

const anonymous: Principal = { mode: 'anonymous' }
/** Logged when the client disconnected before the response. */
const clientGone = 499

/** The handler that hapi calls: it sends every response itself, errors included, and leaves hapi nothing to send. */
export function createHandler(route: CompiledRoute, server: ServerContext): HapiHandler {
  return async (request, h) => {
    const opened = begin(request, route, server)
    try {
      await serve(opened, server)
    } catch (error) {
      sendFailed(error, opened, server)
    }
    return h.abandon
  }
}

/** Closes the connection: the client must not treat a part of the response as the whole. */
function sendFailed(error: unknown, { route, context }: OpenRequest, { log }: ServerContext): void {
  log('response.send_failed', { route: route.label, err: error })
  context.res.destroy()
}

async function serve(opened: OpenRequest, server: ServerContext): Promise<void> {
  server.open.add(opened)
  await server.backlog.whenFirst(opened.context.res)
  const response = await respond(opened, server)
  if (!server.open.remove(opened)) return
  // Do not wait for a stream: hapi would keep the request's memory for hours.
  if (response && isStream(response)) return serveStream(response, opened, server)
  record(opened, answer(response, opened.context, server), server)
}

function serveStream(response: HttpStream, opened: OpenRequest, server: ServerContext): void {
  const { context } = opened
  const signal = server.streams.signal(context.res)
  function closed({ bytes, error }: Sent): void {
    try {
      response.ended?.()
      const { failure } = error === undefined ? response : errorResponseFor(error, opened, server)
      record(opened, { status: response.status, failure, bytes }, server)
    } catch (thrown) {
      sendFailed(thrown, opened, server)
    }
  }
  sendStream(context, response, { signal, closed })
}

/** Sends a response. @param response null when the client disconnected */
function answer(
  response: HttpResponse | null,
  context: RequestContext,
  server: ServerContext,
): Omit<Outcome, 'durationMs'> {
  if (!response) return { status: clientGone, failure: undefined }
  // A client that did not receive `100 Continue` may send its body or not, so the start of its next request is unknown.
  if (server.closing() || context.awaitsContinue) context.res.shouldKeepAlive = false
  server.backlog.reserve(context.res, send(context.res, context.id, response))
  const { status, failure, run } = response
  return { status, failure, run }
}

function record(
  { route, context, startedAt }: OpenRequest,
  outcome: Omit<Outcome, 'durationMs'>,
  server: ServerContext,
): void {
  server.record(route, context, { ...outcome, durationMs: performance.now() - startedAt })
}

function begin(request: Request, route: CompiledRoute, server: ServerContext): OpenRequest {
  const startedAt = performance.now()
  const { req, res } = request.raw
  const context = {
    id: requestId(req.headers['x-request-id'], server.newId),
    req,
    res,
    awaitsContinue: awaitsContinue(req),
    client: server.clientConnection(req),
    path: request.path,
    params: request.params as Record<string, string>,
    query: request.query as Readonly<Record<string, unknown>>,
    principal: anonymous,
  }
  return { route, context, startedAt }
}

/** @returns null when the client disconnected */
async function respond(opened: OpenRequest, server: ServerContext): Promise<HttpResponse | HttpStream | null> {
  const { route, context } = opened
  try {
    // If the connection has ended, nothing is done: a change that cannot be confirmed to the client must not happen.
    if (!context.req.socket.writable) throw new ClientGone()
    assertHead(context.req)
    return await route.handle(context)
  } catch (error) {
    if (error instanceof ClientGone) return null
    return errorResponseFor(error, opened, server)
  }
}

/** The only place where an error of a request becomes a response. */
function errorResponseFor(
  error: unknown,
  { route, context: { id } }: OpenRequest,
  { log }: ServerContext,
): HttpResponse {
  const appError = asAppError(error)
  if (appError !== error) log('request.failed', { requestId: id, route: route.label, err: error })
  return errorResponse(appError, id)
}
