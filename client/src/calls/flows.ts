import { stringify } from '../json.ts'
import { type CallOptions, route, type Send } from '../transport.ts'

/** The response of a flow, and the id of its run. */
export type FlowAnswer<Output> = {
  /** Any status that the flow chose. A failed run throws a `ListdError` instead. */
  status: number
  /** Undefined: no body. */
  body: Output
  headers: Headers
  runId: string
}

export type FlowCallOptions = CallOptions & {
  /** The method of the flow's entry. Default: POST. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** The key by which the service recognizes a repeated call, for a day. Default: a new key for each call. */
  idempotencyKey?: string | undefined
}

export type Flows = {
  /**
   * Calls the flow with this path, such as `cards/vote`. The input is any JSON; with GET it is an object, whose members become query
   * parameters. A retried call has the same key, so the flow runs once. A call of a public flow, by `public/` and its id, has no key, and
   * is retried only with GET.
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

/** Objects and lists are sent as JSON. */
function queryOf(input: unknown): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(input)))
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : (stringify(value) ?? ''))
  return query
}
