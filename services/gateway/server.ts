import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as Listener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { server as createHapi, type RouteOptions, type Server } from '@hapi/hapi'
import { createIdentify } from './auth/identify.ts'
import type { Deps } from './context.ts'
import { answerClientErrors } from './http/client-error.ts'
import type { Load } from './http/concurrency-limit.ts'
import { boundConnections } from './http/connections.ts'
import { createHapiErrorAnswer } from './http/hapi-errors.ts'
import { type HttpLimits, httpLimits, serverOptions } from './http/limits.ts'
import type { Metrics } from './http/metrics.ts'
import { planRoute } from './http/pipeline.ts'
import { createHandler, type Edge } from './http/request-context.ts'
import { createRecord } from './http/request-log.ts'
import { createAnswers } from './http/response-backlog.ts'
import { planUnknown } from './http/unknown-route.ts'
import { createClientConnection } from './request/client-address.ts'
import type { Route } from './request/route.ts'

export type GatewayServer = {
  port: number
  /** Takes no new connection, lets requests under way finish within the drain time, and closes every connection. */
  close(): Promise<void>
}

type ServerContext = { deps: Deps; routes: readonly Route[]; load: Load; metrics: Metrics | null; limits?: HttpLimits }

/** Starts the API on the configured address; port 0 takes a free one. */
export async function startServer(context: ServerContext): Promise<GatewayServer> {
  const { deps, metrics, limits = httpLimits } = context
  const { host, port } = deps.config.gateway
  const { listener, hapi } = createListener(limits)
  answerClientErrors(listener, deps.newId)
  for (const event of ['request', 'checkContinue'] as const) listener.prependListener(event, keepWithinBound)
  let closing = false
  const edge: Edge = {
    log: deps.log,
    newId: deps.newId,
    answers: createAnswers(listener, limits),
    clientConnection: createClientConnection(deps.config.gateway),
    record: createRecord(deps.log, metrics),
    closing: () => closing,
  }
  await addRoutes(hapi, { ...context, edge })
  await hapi.start()
  listener.listen(port, host)
  await once(listener, 'listening')

  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      closing = true
      await hapi.stop({ timeout: limits.drainMs })
    },
  }
}

function createListener(limits: HttpLimits): { listener: Listener; hapi: Server } {
  const listener = createServer(serverOptions(limits))
  boundConnections(listener, limits.connections)
  listener.setTimeout(limits.stalledMs)
  const hapi = createHapi({ listener, autoListen: false, debug: false, compression: false, routes: bareRoutes })
  return { listener, hapi }
}

/** hapi finds the route and hands over the request; everything that its own handling would add is switched off. */
const bareRoutes: RouteOptions = { state: { parse: false }, cache: false }

/** The greatest bound that hapi takes. */
const mostBytes = Number.MAX_SAFE_INTEGER

/** hapi would read a body that says it is longer than its bound to the end before it refuses it; we do that at once. */
function keepWithinBound({ headers }: IncomingMessage): void {
  if (Number(headers['content-length']) > mostBytes) headers['content-length'] = String(mostBytes)
}

/** The body is left in the socket for json-body.ts, whatever its length and type. */
const unreadBody: RouteOptions = {
  payload: {
    parse: false,
    output: 'stream',
    maxBytes: mostBytes,
    timeout: false,
    override: 'application/json',
  },
}

async function addRoutes(hapi: Server, context: ServerContext & { edge: Edge }): Promise<void> {
  const { routes, deps, load, edge } = context
  // Our own routes stand in a plugin, so that this applies only outside them: they never leave an answer to hapi.
  hapi.ext('onPreResponse', createHapiErrorAnswer(edge), { sandbox: 'plugin' })
  await hapi.register({
    name: 'api',
    register(api) {
      const identify = createIdentify(deps)
      for (const route of routes) {
        const options = route.method === 'GET' ? {} : unreadBody
        const handler = createHandler(planRoute(route, { deps, load, identify }), edge)
        api.route({ method: route.method, path: route.path, options, handler })
      }
      const unknown = planUnknown((path) => methods.filter((method) => isTaken(hapi, method, path)))
      api.route({ method: '*', path: '/{path*}', options: unreadBody, handler: createHandler(unknown, edge) })
    },
  })
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function isTaken(hapi: Server, method: (typeof methods)[number], path: string): boolean {
  const route = hapi.match(method.toLowerCase() as 'get', path)
  return route !== null && route.method !== '*'
}
