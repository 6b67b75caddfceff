import type { Fault } from '#shared/errors.ts'
import type { Identify } from '../auth/identify.ts'
import type { Deps } from '../context.ts'
import type { Answer, ApiRequest, Route } from '../request/route.ts'
import type { Load } from './concurrency-limit.ts'
import { createBodyReader, type ReadBody } from './json-body.ts'
import { createQueryReader } from './query.ts'
import type { Exchange, Plan } from './request-context.ts'
import type { Ready } from './respond.ts'
import { refuse } from './validation.ts'

/**
 * Composes what a request to one route goes through: who is calling, the query, the body, the handler.
 * Who may not call is told so before the body is read, and a body that comes slowly keeps nobody from being served.
 */
export function planRoute(route: Route, context: { deps: Deps; load: Load; identify: Identify }): Plan {
  const { deps, load } = context
  const identify = context.identify(route)
  const readQuery = createQueryReader(route.query)
  const readBody = route.method === 'GET' ? readNothing : createBodyReader(deps.config, route.body)
  const textFaults = route.body?.textFaults
  const handle = isCheap(route) ? route.handle : bounded(route.handle, load)

  async function answer(exchange: Exchange): Promise<Ready> {
    const { req, client } = exchange
    exchange.caller = await identify(req, client)
    const query = readQuery(exchange.query)
    const body = await readBody(req, load)
    try {
      refuse(query.faults, body.faults, textFaults ? await textFaults(body.text, exchange.caller, deps) : noFaults)
      return ready(await handle(apiRequest(exchange, query.value, body), deps))
    } finally {
      load.release(body.length)
    }
  }
  return { label: route.path, answer }
}

function apiRequest(exchange: Exchange, query: Record<string, unknown>, body: ReadBody): ApiRequest {
  const { id, caller, params, client, req } = exchange
  return {
    id,
    caller,
    params,
    query,
    body: body.value,
    text: body.text,
    headers: req.headers as Record<string, string | undefined>,
    clientAddress: client.address,
    secure: client.secure,
  }
}

/** Health checks and documents are answered also under the heaviest load, else a busy process would be taken for a dead one. */
function isCheap({ method, access }: Route): boolean {
  return method === 'GET' && access === 'anyone'
}

function bounded(handle: Route['handle'], load: Load): Route['handle'] {
  return async (request, deps) => {
    load.enter()
    try {
      return await handle(request, deps)
    } finally {
      load.leave()
    }
  }
}

const noFaults: readonly Fault[] = []
const noBody: ReadBody = { value: undefined, faults: [], text: {}, length: 0 }
const readNothing = () => noBody

function ready({ status, body, json, html, headers }: Answer): Ready {
  return { status, json: json ?? (body === undefined ? undefined : JSON.stringify(body)), html, headers }
}
