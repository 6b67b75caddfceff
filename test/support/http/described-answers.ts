import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Response = { $ref?: string; content?: Record<string, unknown> }
type Operation = { responses: Record<string, Response> }
type Description = { paths: Record<string, Record<string, Operation>> }

/** An answer as the test clients have it; `json` is undefined where the body is not JSON or absent. */
type Answer = { status: number; json: unknown }

/** The committed description, which no change of a route changes by itself. */
const description: Description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/openapi.json'), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true }).addSchema(description, 'openapi.json')
addFormats.default(ajv)

/** The paths of the API, in the order in which a request is compared with them: a literal step before a parameter. */
const paths = Object.keys(description.paths)
  .map((path) => ({ path, pattern: patternOf(path) }))
  .sort((a, b) => (literalFirst(a.path) < literalFirst(b.path) ? -1 : 1))

/** `~` comes after all that steps begin with. */
function literalFirst(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~')
}

/** They are answered before a route is found, or belong to none. */
const withoutRoute = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT']

/**
 * Throws unless the API's description has this answer to this request: its status, its body, and an error's name. Requests
 * that are no part of the API pass.
 */
export function assertDescribed(request: { method: string; path: string }, answer: Answer): void {
  const route = findRoute(request)
  const name = answer.status >= 400 ? errorNameOf(answer.json) : ''
  if (!route || withoutRoute.includes(name)) return
  const told = `${route.method} ${route.path} answered ${answer.status} ${name}`.trim()
  const response = route.operation.responses[answer.status]
  if (!response) throw new Error(`${told}: ${missing(name, Object.keys(route.operation.responses))}`)
  const pointer = schemaPointer(
    response,
    `/paths/${escapeStep(route.path)}/${route.method.toLowerCase()}`,
    answer.status,
  )
  if ((pointer === null) !== (answer.json === undefined)) throw new Error(`${told} ${bodyFault(pointer)}`)
  if (pointer === null) return
  const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`) as ValidateFunction
  if (validate(answer.json)) return
  throw new Error(`${told}:\n${(validate.errors ?? []).slice(0, 10).map(expectation).join('\n')}`)
}

/** A pointer has slashes, and may be missing. */
function patternOf(path: string): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replace('/{pointer}', '(?:/.*)?')
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

/** The route that a request belongs to; null: none of the API. */
export function findRoute({ method, path }: { method: string; path: string }) {
  const [pathname = ''] = path.split('?')
  for (const { path, pattern } of paths) {
    const operation = description.paths[path]?.[method.toLowerCase()]
    if (operation && pattern.test(pathname)) return { method, path, operation }
  }
  return null
}

function errorNameOf(json: unknown): string {
  return String((json as { name?: unknown } | null | undefined)?.name)
}

function bodyFault(pointer: string | null): string {
  return pointer === null ? 'with a JSON body, and the description has none' : 'without a JSON body'
}

function missing(name: string, statuses: string[]): string {
  if (name !== '') return `name the error in the route's "errors"`
  return `the description has ${statuses.join(', ')}; say the status in the route's "response"`
}

/** Where the schema of a response's JSON body is; null: it has none. */
function schemaPointer({ $ref, content }: Response, operation: string, status: number): string | null {
  const step = '/content/application~1json/schema'
  if ($ref) return `${$ref.slice(1)}${step}`
  return content?.['application/json'] ? `${operation}/responses/${status}${step}` : null
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function expectation({ instancePath, message, params, data }: ErrorObject): string {
  const found = JSON.stringify(data)?.slice(0, 200)
  return `  ${instancePath || '/'} ${message} ${JSON.stringify(params)}, and is ${found}`
}
