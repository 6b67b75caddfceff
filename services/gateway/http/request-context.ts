import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, ResponseToolkit } from '@hapi/hapi'
import { validationFailed } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { Principal } from '../request/principal.ts'
import { ClientGone } from './body-bytes.ts'
import { asAppError, errorResponse } from './error-response.ts'
import { requestId } from './request-id.ts'
import { type HttpResponse, send } from './respond.ts'
import type { ResponseBacklog } from './response-backlog.ts'

/** One request and its answer under way. */
export type RequestContext = {
  id: string
  req: IncomingMessage
  res: ServerResponse
  client: ClientConnection
  path: string
  params: Record<string, string>
  query: unknown
  /** Known once the credentials were looked at. */
  principal: Principal
}

/** How one route is answered; composed once at the start. */
export type CompiledRoute = {
  /** The route's template, in logs and metrics. */
  label: string
  handle(context: RequestContext): Promise<HttpResponse>
}

/** What every context needs. */
export type ServerContext = {
  log: Logger
  newId(): string
  backlog: ResponseBacklog
  clientConnection(req: IncomingMessage): ClientConnection
  record(plan: CompiledRoute, context: RequestContext, outcome: { status: number; durationMs: number }): void
  closing(): boolean
}

export type HapiHandler = (request: Request, h: ResponseToolkit) => Promise<symbol>

const anonymous: Principal = { mode: 'anonymous' }
/** Logged when the client went away before it could be answered. */
const clientGone = 499

/** The handler hapi calls: it answers every request itself, errors included, and leaves hapi nothing to send. */
export function createHandler(plan: CompiledRoute, server: ServerContext): HapiHandler {
  return async (request, h) => {
    try {
      await serve(plan, request, server)
    } catch (error) {
      server.log('response.send_failed', { route: plan.label, err: error })
      request.raw.res.destroy()
    }
    return h.abandon
  }
}

async function serve(plan: CompiledRoute, request: Request, server: ServerContext): Promise<void> {
  const startedAt = performance.now()
  const context = begin(request, server)
  await server.backlog.whenFirst(context.res)
  const ready = await respond(plan, context, server)
  if (server.closing()) context.res.shouldKeepAlive = false
  if (ready) {
    const bytes = send(context.res, context.id, ready)
    server.backlog.reserve(context.res, bytes)
  }
  server.record(plan, context, { status: ready?.status ?? clientGone, durationMs: performance.now() - startedAt })
}

function begin(request: Request, server: ServerContext): RequestContext {
  const { req, res } = request.raw
  return {
    id: requestId(req.headers['x-request-id'], server.newId),
    req,
    res,
    client: server.clientConnection(req),
    path: request.path,
    params: request.params as Record<string, string>,
    query: request.query,
    principal: anonymous,
  }
}

/** @returns null when the client went away */
async function respond(
  plan: CompiledRoute,
  context: RequestContext,
  server: ServerContext,
): Promise<HttpResponse | null> {
  try {
    // Arrived on a connection that was ended meanwhile: what nobody can be told must not be done.
    if (!context.req.socket.writable) throw new ClientGone()
    assertHost(context.req)
    return await plan.handle(context)
  } catch (error) {
    if (error instanceof ClientGone) return null
    return failed(error, { id: context.id, label: plan.label, log: server.log })
  }
}

/** The one place where an error of a request ends. */
export function failed(error: unknown, context: { id: string; label: string; log: Logger }): HttpResponse {
  const appError = asAppError(error)
  if (appError !== error) {
    const { id, label, log } = context
    log('request.failed', { requestId: id, route: label, err: error })
  }
  return errorResponse(appError, context.id)
}

/** HTTP/1.1 demands exactly one. */
function assertHost({ httpVersion, headers: { host } }: IncomingMessage): void {
  if (host === undefined ? httpVersion === '1.1' : host.includes(',')) {
    throw validationFailed([{ path: 'host', message: 'Exactly one host header is needed.' }])
  }
}
