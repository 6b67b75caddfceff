import { setImmediate as nextTick } from 'node:timers/promises'
import { findRoute } from '../http/answers/described-answers.ts'
import { type Api, type ApiAnswer, served } from '../http/api.ts'
import { createNormalForm } from './normal-form.ts'

/** One operation with its call, and its answers by status. */
type OperationExample = {
  parameters?: Record<string, unknown>
  request?: unknown
  answers: Record<string, unknown>
}

/** The content of `services/gateway/http/openapi/examples.json`. */
export type Examples = {
  operations: Record<string, OperationExample>
  /** The body of an error, by its name. */
  errors: Record<string, unknown>
}

export type Recording = {
  examples: Examples
  /** The same calls; the first success of an operation with each status is recorded, and the first error of each name. */
  of(api: Api): Api
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: { type?: string } }
type Operation = { operationId: string; parameters?: (Parameter | { $ref: string })[] }
type Request = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

/** Records calls of a running service, in the normal form of ids and times. */
export function createRecording(): Recording {
  const examples: Examples = { operations: {}, errors: {} }
  const normal = createNormalForm()
  let last = 0

  function note(request: Request, { status, json }: ApiAnswer): void {
    const route = findRoute(request)
    if (!route) throw new Error(`the API has no ${request.method} ${request.path}`)
    const normalOf = (value: unknown) => JSON.parse(normal.of(JSON.stringify(value)))
    // A blocked sync answers with its report.
    if (status >= 400 && !('blockedBy' in json)) {
      examples.errors[json.name] ??= normalOf(json)
      return
    }
    const operation = route.operation as unknown as Operation
    const known = examples.operations[operation.operationId]
    if (known?.answers[status] !== undefined) return
    const parameters = parametersOf(operation, route.path, request)
    const sent = {
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...('body' in request && { body: request.body }),
    }
    const { sent: recorded, json: answer } = normalOf({ sent, json })
    examples.operations[operation.operationId] ??= {
      ...(recorded.parameters && { parameters: recorded.parameters }),
      ...('body' in recorded && { request: recorded.body }),
      answers: {},
    }
    Object(examples.operations[operation.operationId]).answers[status] = answer
  }

  return {
    examples,
    of: (api) => async (method, path, options) => {
      // Two calls in one millisecond would share their times.
      while (Date.now() === last) await nextTick()
      normal.beginCall(Date.now())
      const answer = await served(() => api(method, path, options))
      last = Date.now()
      note({ method, path, ...options }, answer)
      return answer
    },
  }
}

/** The parameters of a request by name, as their schemas type them. */
function parametersOf(operation: Operation, routePath: string, request: Request): Record<string, unknown> {
  const [pathname = '', query] = request.path.split('?')
  const sent = {
    path: stepsOf(routePath, pathname),
    query: Object.fromEntries(new URLSearchParams(query)),
    header: Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  }
  // A referenced response applies to many calls, and has no example.
  const own = (operation.parameters ?? []).filter((parameter) => 'name' in parameter)
  const known = own.filter((parameter) => sent[parameter.in][parameter.name] !== undefined)
  return Object.fromEntries(
    known.map(({ in: place, name, schema }) => [name, typed(sent[place][name] as string, schema)]),
  )
}

const rests = ['pointer', 'path']

/** A pointer is the rest of the path, and so is the path of a flow. */
function stepsOf(routePath: string, pathname: string): Record<string, string> {
  const steps = pathname.split('/')
  const named = routePath.split('/').map((step, n) => [step.match(/^\{(\w+)\}$/)?.[1], n] as const)
  return Object.fromEntries(
    named.flatMap(([name, n]) => {
      if (name === undefined || steps[n] === undefined) return []
      return [[name, decodeURIComponent(rests.includes(name) ? steps.slice(n).join('/') : steps[n])]]
    }),
  )
}

function typed(text: string, { type }: Parameter['schema']): unknown {
  if (type === 'array') return [text]
  return type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(text) : text
}
