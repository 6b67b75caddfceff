import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Reference = { $ref: string }
type Header = { required?: true; schema: { type: string } }
type Response = { content?: Record<string, unknown>; headers?: Record<string, Header | Reference> }
type Operation = { responses: Record<string, Response | Reference> & { default?: Response } }
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; headers: Record<string, Header> }
}

/** A response as the test clients return it; `json` is undefined if the body is not JSON or absent, names are in lower case. */
type Answer = { status: number; headers: Readonly<Record<string, unknown>>; json: unknown }

/** The committed description, which does not change automatically with a route. */
const description: Description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/openapi.json'), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true }).addSchema(description, 'openapi.json')
addFormats.default(ajv)

/** The paths of the API, in the order in which a request is compared with them: a literal segment before a parameter. */
const paths = Object.keys(description.paths)
  .map((path) => ({ path, pattern: patternOf(path) }))
  .sort((a, b) => (literalFirst(a.path) < literalFirst(b.path) ? -1 : 1))

/** `~` sorts after every first character of a segment. */
function literalFirst(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~')
}

/** Answered before a route is found, or without a route. */
const withoutRoute = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'ADDRESS_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'EXPECTATION_FAILED',
  'NOT_IMPLEMENTED',
  'HTTP_VERSION_NOT_SUPPORTED',
]

/** Headers that are not specific to the API: of connections, of the transfer of a body, and those that allow pages of any origin to call it. */
const ofTransport =
  /^(date|connection|keep-alive|transfer-encoding|content-(type|length)|cache-control|x-content-type-options|access-control-.*)$/

const setByFlows = /^(location|x-.*)$/

/**
 * Throws unless the API's description has this response to this request: its status, its headers, its body, and the name of an error.
 * Requests outside the API pass.
 */
export function assertDescribed(request: { method: string; path: string }, answer: Answer): void {
  const route = findRoute(request)
  const name = answer.status >= 400 ? errorNameOf(answer.json) : ''
  if (!route || withoutRoute.includes(name)) return
  const reported = `${route.method} ${route.path} answered ${answer.status} ${name}`.trim()
  const { responses } = route.operation
  const described = responses[answer.status] ?? responses.default
  if (!described) throw new Error(`${reported}: ${missing(name, Object.keys(responses))}`)
  const status = described === responses.default ? 'default' : answer.status
  const place = `/paths/${escapeStep(route.path)}/${route.method.toLowerCase()}/responses/${status}`
  const at = '$ref' in described ? described.$ref.slice(1) : place
  const response = '$ref' in described ? responseOf(described) : described
  const fault = headerFault({ at, response, isOpen: responses.default !== undefined }, answer)
  if (fault) throw new Error(`${reported} ${fault}`)
  const pointer = response.content?.['application/json'] ? `${at}/content/application~1json/schema` : null
  if (answer.json === undefined && response.content?.['text/html']) return
  if (answer.json === undefined && responses.default) return
  if ((pointer === null) !== (answer.json === undefined)) throw new Error(`${reported} ${bodyFault(pointer)}`)
  if (pointer === null) return
  const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`) as ValidateFunction
  if (validate(answer.json)) return
  throw new Error(`${reported}:\n${(validate.errors ?? []).slice(0, 10).map(expectation).join('\n')}`)
}

/** A pointer has slashes, and may be missing. */
function patternOf(path: string): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replace('/{pointer}', '(?:/.*)?')
    .replace('{path}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

/** The route of a request; null: it is not a route of the API. */
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

function responseOf({ $ref }: Reference): Response {
  return description.components.responses[$ref.replace('#/components/responses/', '')] as Response
}

/** The problem with the headers of a response; null: no problem. Open responses may have headers of any name, set by a flow. */
function headerFault(
  { at, response, isOpen }: { at: string; response: Response; isOpen: boolean },
  { headers }: Answer,
): string | null {
  const { headers: described = {} } = response
  const unknown = Object.keys(headers).find(
    (name) => !ofTransport.test(name) && !Object.hasOwn(described, name) && !(isOpen && setByFlows.test(name)),
  )
  if (unknown) return `with the header ${unknown}: say it in the route's "headers"`
  for (const [name, header] of Object.entries(described)) {
    const pointer = '$ref' in header ? header.$ref.slice(1) : `${at}/headers/${name}`
    const { required, schema } = '$ref' in header ? (description.components.headers[name] as Header) : header
    const value = [headers[name]].flat()[0]
    if (value === undefined && required) return `without the header ${name}`
    const validate = ajv.getSchema(`openapi.json#${encodeURI(`${pointer}/schema`)}`) as ValidateFunction
    const isValid = value === undefined || validate(schema.type === 'integer' ? Number(value) : value)
    if (!isValid) return `with ${name}: ${(validate.errors ?? []).map(expectation).join('\n')}`
  }
  return null
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function expectation({ instancePath, message, params, data }: ErrorObject): string {
  const found = JSON.stringify(data)?.slice(0, 200)
  return `  ${instancePath || '/'} ${message} ${JSON.stringify(params)}, and is ${found}`
}
