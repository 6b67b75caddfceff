import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as Listener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { server as createHapi, type RouteOptions, type Server } from '@hapi/hapi'
import { createAdmissionQueue } from '#shared/admission/admission-queue.ts'
import { unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { ConcurrencyLimiter } from './admission/concurrency-limit.ts'
import { createIdentify } from './auth/identify.ts'
import type { Deps } from './context.ts'
import { handleClientErrors } from './http/client-error.ts'
import { limitConnections } from './http/connections.ts'
import { createHapiErrorResponse } from './http/hapi-errors.ts'
import { type HttpLimits, httpLimits, serverOptions } from './http/limits.ts'
import type { Metrics } from './http/metrics.ts'
import { createNearPath } from './http/near-path.ts'
import { createOpenRequests } from './http/open-requests.ts'
import { compileRoute, type RequestQueues } from './http/pipeline.ts'
import { createHandler, type HapiHandler, type ServerContext } from './http/request-context.ts'
import { createRequestLog } from './http/request-log.ts'
import { errorResponse } from './http/responses/error-response.ts'
import { lingerMs } from './http/responses/last-response.ts'
import { createResponseBacklog } from './http/responses/response-backlog.ts'
import { createOpenStreams } from './http/streams.ts'
import { compileUnknownRoute } from './http/unknown-route.ts'
import { createClientConnection } from './request/client-address.ts'
import type { Route } from './request/route.ts'

export type GatewayServer = {
  port: number
  /**
   * Accepts no new connections, ends streams, and lets requests in flight finish within the drain time. After that it answers
   * the remaining requests with 503 and closes every connection.
   */
  close(): Promise<void>
}

type ServerOptions = {
  deps: Deps
  routes: readonly Route<Deps>[]
  limiter: ConcurrencyLimiter
  metrics: Metrics | null
  limits?: HttpLimits
}

/** Starts the API on the configured address; port 0 means any free port. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { deps, metrics, limits = httpLimits } = options
  const { host, port } = deps.config.gateway
  const { listener, hapi } = createListener(limits, deps.log)
  handleClientErrors(listener, { newId: deps.newId, headBytes: limits.headBytes })
  listener.prependListener('request', capContentLength)
  let closing = false
  const server: ServerContext = {
    log: deps.log,
    newId: deps.newId,
    backlog: createResponseBacklog(listener, limits),
    clientConnection: createClientConnection(deps.config.gateway),
    open: createOpenRequests(),
    streams: createOpenStreams(limits),
    record: createRequestLog(deps.log, metrics),
    closing: () => closing,
  }
  await addRoutes(hapi, { ...options, server, queues: createRequestQueues(limits) })
  await hapi.start()
  listener.listen(port, host)
  await once(listener, 'listening')

  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      closing = true
      const endsAt = performance.now() + limits.drainMs
      // hapi closes connections on which it serves no request, so it stops when streams have ended.
      listener.close()
      server.streams.end()
      const cutting = setTimeout(cutOff, limits.drainMs, server)
      await server.streams.closed()
      await hapi.stop({ timeout: Math.max(0, endsAt - performance.now()) + lingerMs })
      clearTimeout(cutting)
    },
  }
}

/** Answers the requests that are still open at the end of the drain time with 503, closes the streams, and logs how many are cut. */
function cutOff({ open, streams, backlog, log, record }: ServerContext): void {
  const error = unavailable('the gateway stops, and the time to drain is over')
  const cut = open.cutOff(error)
  for (const { route, context, startedAt } of cut) {
    const { status, failure } = errorResponse(error, context.id)
    record(route, context, { status, failure, durationMs: performance.now() - startedAt })
  }
  const responses = backlog.unread() + streams.cutOff()
  if (cut.length + responses > 0) log('gateway.drain_timed_out', { requests: cut.length, responses })
}

/** Queues for requests that take many times the memory of their bodies: while they wait, they occupy no more than the bytes. */
function createRequestQueues({ parsedBytes }: HttpLimits): RequestQueues {
  const waiting = { all: { entries: 1_000, size: 256 * mib }, account: { entries: 250, size: 128 * mib } }
  return {
    alone: createAdmissionQueue({ atOnce: 1, waiting }),
    shared: createAdmissionQueue({ atOnce: parsedBytes, waiting }),
  }
}

const mib = 1024 * 1024

function createListener(limits: HttpLimits, log: Logger): { listener: Listener; hapi: Server } {
  const listener = createServer(serverOptions(limits))
  limitConnections(listener, { max: limits.connections, log })
  // Node would silently drop all headers after the 2,000th; their bytes are bounded anyway.
  listener.maxHeadersCount = 0
  listener.setTimeout(limits.stalledMs)
  const hapi = createHapi({ listener, autoListen: false, debug: false, compression: false, routes: bareRoutes })
  takeExpectations(listener)
  return { listener, hapi }
}

/** The reader of a body sends `100 Continue`: hapi would send it before the caller and the route are known. */
function takeExpectations(listener: Listener): void {
  listener.removeAllListeners('checkContinue')
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    listener.on(event, (req, res) => listener.emit('request', req, res))
  }
}

/** hapi finds the route and passes the request on; the rest of its handling is switched off. */
const bareRoutes: RouteOptions = { state: { parse: false }, cache: false }

/** The greatest limit that hapi accepts. */
const maxBytes = Number.MAX_SAFE_INTEGER

/** hapi would read a body whose stated length exceeds its limit to the end before rejecting it; we reject it at once. */
function capContentLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length']) > maxBytes) headers['content-length'] = String(maxBytes)
}

/** hapi leaves the body in the socket for json-body.ts, of any length and type. */
const unreadBody: RouteOptions = {
  payload: {
    parse: false,
    output: 'stream',
    maxBytes,
    timeout: false,
    override: 'application/json',
  },
}

async function addRoutes(
  hapi: Server,
  options: ServerOptions & { server: ServerContext; queues: RequestQueues },
): Promise<void> {
  const { routes, deps, limiter, server, queues } = options
  // Our own routes are in a plugin, so that this extension does not apply to them: they send their responses themselves.
  hapi.ext('onPreResponse', createHapiErrorResponse(server), { sandbox: 'plugin' })
  await hapi.register({
    name: 'api',
    register(api) {
      const identify = createIdentify(deps)
      for (const route of routes) {
        const context = { deps, limiter, streams: server.streams, queues, identify }
        let handler: HapiHandler | undefined
        api.route({
          method: route.method,
          path: route.path,
          options: route.method === 'GET' ? {} : unreadBody,
          handler(request, h) {
            // Compiled at its first request: compiling all routes would take a fifth of the start.
            handler ??= createHandler(compileRoute(route, context), server)
            return handler(request, h)
          },
        })
      }
      const methodsAt = (path: string) => methods.filter((method) => hasRoute(hapi, method, path))
      const unknown = compileUnknownRoute(methodsAt, createNearPath(routes.map(({ path }) => path)))
      api.route({ method: '*', path: '/{path*}', options: unreadBody, handler: createHandler(unknown, server) })
    },
  })
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function hasRoute(hapi: Server, method: (typeof methods)[number], path: string): boolean {
  const route = hapi.match(method.toLowerCase() as 'get', path)
  return route !== null && route.method !== '*'
}
