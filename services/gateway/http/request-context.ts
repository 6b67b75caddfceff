import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, ResponseToolkit } from '@hapi/hapi'
import { validationFailed } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { Caller } from '../request/principal.ts'
import { ClientGone } from './body-bytes.ts'
import { asAppError, errorAnswer } from './error-response.ts'
import { requestId } from './request-id.ts'
import { type Ready, send } from './respond.ts'
import type { Answers } from './response-backlog.ts'

/** One request and its answer under way. */
export type Exchange = {
  id: string
  req: IncomingMessage
  res: ServerResponse
  client: ClientConnection
  path: string
  params: Record<string, string>
  query: unknown
  /** Known once the credentials were looked at. */
  caller: Caller
}

/** How one route is answered; composed once at the start. */
export type Plan = {
  /** The route's template, in logs and metrics. */
  label: string
  answer(exchange: Exchange): Promise<Ready>
}

/** What every exchange needs. */
export type Edge = {
  log: Logger
  newId(): string
  answers: Answers
  clientConnection(req: IncomingMessage): ClientConnection
  record(plan: Plan, exchange: Exchange, outcome: { status: number; durationMs: number }): void
  closing(): boolean
}

export type HapiHandler = (request: Request, h: ResponseToolkit) => Promise<symbol>

const nobody: Caller = { mode: 'anyone' }
/** Logged when the client went away before it could be answered. */
const clientGone = 499

/** The handler hapi calls: it answers every request itself, errors included, and leaves hapi nothing to send. */
export function createHandler(plan: Plan, edge: Edge): HapiHandler {
  return async (request, h) => {
    try {
      await serve(plan, request, edge)
    } catch (error) {
      edge.log.error({ route: plan.label, err: error }, 'an answer could not be sent')
      request.raw.res.destroy()
    }
    return h.abandon
  }
}

async function serve(plan: Plan, request: Request, edge: Edge): Promise<void> {
  const startedAt = performance.now()
  const exchange = begin(request, edge)
  await edge.answers.turn(exchange.res)
  const ready = await answerOf(plan, exchange, edge)
  if (edge.closing()) exchange.res.shouldKeepAlive = false
  if (ready) {
    const bytes = send(exchange.res, exchange.id, ready)
    edge.answers.hold(exchange.res, bytes)
  }
  edge.record(plan, exchange, { status: ready?.status ?? clientGone, durationMs: performance.now() - startedAt })
}

function begin(request: Request, edge: Edge): Exchange {
  const { req, res } = request.raw
  return {
    id: requestId(req.headers['x-request-id'], edge.newId),
    req,
    res,
    client: edge.clientConnection(req),
    path: request.path,
    params: request.params as Record<string, string>,
    query: request.query,
    caller: nobody,
  }
}

/** @returns null when the client went away */
async function answerOf(plan: Plan, exchange: Exchange, edge: Edge): Promise<Ready | null> {
  try {
    // Arrived on a connection that was ended meanwhile: what nobody can be told must not be done.
    if (!exchange.req.socket.writable) throw new ClientGone()
    requireHost(exchange.req)
    return await plan.answer(exchange)
  } catch (error) {
    if (error instanceof ClientGone) return null
    return failed(error, { id: exchange.id, label: plan.label, log: edge.log })
  }
}

/** The one place where an error of a request ends. */
export function failed(error: unknown, context: { id: string; label: string; log: Logger }): Ready {
  const appError = asAppError(error)
  if (appError !== error) {
    const { id, label, log } = context
    log.error({ requestId: id, route: label, err: error }, 'a request failed unexpectedly')
  }
  return errorAnswer(appError, context.id)
}

/** HTTP/1.1 demands exactly one. */
function requireHost({ httpVersion, headers: { host } }: IncomingMessage): void {
  if (host === undefined ? httpVersion === '1.1' : host.includes(',')) {
    throw validationFailed([{ path: 'host', message: 'Exactly one host header is needed.' }])
  }
}
