import { stringify } from '../json.ts'
import { type CallOptions, route, type Send } from '../transport.ts'

/** What a flow has responded with, and the id of its run. */
export type FlowAnswer<Output> = {
  /** Of any kind: what the flow chose. A run that fails is a `ListdError` instead. */
  status: number
  /** Undefined: there is none. */
  body: Output
  headers: Headers
  runId: string
}

export type FlowCallOptions = CallOptions & {
  /** The method of the flow's entry; POST. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** By which the service knows the same call again, for a day; each call has its own unless it is set. */
  idempotencyKey?: string | undefined
}

export type Flows = {
  /**
   * Calls the flow with this path, such as `cards/vote`. The input is any JSON; with GET an object, whose members are parameters of the
   * query. A call that is sent again has the same key, so the flow runs once. A call of a public flow, by `public/` and its id, has no
   * key, and is sent again only by GET.
   */
  call<Output = unknown>(path: string, input?: unknown, options?: FlowCallOptions): Promise<FlowAnswer<Output>>
}

export function createFlows(send: Send): Flows {
  return {
    call(path, input, { method = 'POST', ...options } = {}) {
      const steps = path
        .replace(/^\//, '')
        .split('/')
        .map((step) => route`/${step}`)
      const url = `${method} /flows${steps.join('')}`
      const keyed = steps[0] !== '/public'
      const read = (body: unknown, { status, headers }: Response) =>
        ({ status, body, headers, runId: headers.get('x-flow-run') }) as never
      return method === 'GET'
        ? send(`${url}?${queryOf(input)}`, { options, read, keyed })
        : send(url, { body: input, options, read, keyed })
    },
  }
}

/** Objects and lists are JSON, as the API reads them. */
function queryOf(input: unknown): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(input)))
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : (stringify(value) ?? ''))
  return query
}
