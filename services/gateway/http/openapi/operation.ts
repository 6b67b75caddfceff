import { idSchema, type JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { flowDocumentLimits, lengths } from '#shared/domain/limits.ts'
import { sessionCookie } from '../../auth/credential.ts'
import type { Route } from '../../request/route.ts'
import { printSchema } from '../../schemas/joi.ts'
import { isConditional } from '../responses/conditional.ts'
import type { Components } from './components.ts'
import { errorResponses } from './error-responses.ts'
import { examples } from './examples.ts'
import { conditionParameters, headersOfAll, headersOfReads, toHeader } from './headers.ts'

/** The path parameters of all routes. */
const pathParameters: Readonly<Record<string, JsonSchema>> = {
  list: { description: 'The id or the path name of a list.', type: 'string', maxLength: lengths.pathName },
  item: { description: "The id of an item, or its value in the list's alias index.", type: 'string' },
  index: { description: 'The id or the path name of an index.', type: 'string', maxLength: lengths.pathName },
  pointer: {
    description:
      'A JSON Pointer, with or without its first slash; empty, or omitted with the slash before it: all data.',
    type: 'string',
    maxLength: lengths.pointer,
  },
  event: { description: 'The id of an event.', ...idSchema },
  path: {
    description: 'The path of a flow, with its slashes.',
    type: 'string',
    maxLength: flowDocumentLimits.maxPathLength,
  },
  flow: { description: 'The id or the name of a flow.', type: 'string', maxLength: lengths.name },
  run: { description: 'The id of a run of a flow.', ...idSchema },
  flowId: { description: 'The id of a flow.', ...idSchema },
  version: { description: 'The number of a version.', type: 'integer', minimum: 1 },
  webhook: { description: 'The id of a webhook.', ...idSchema },
  token: { description: 'The id of an API token.', ...idSchema },
  identity: {
    description: 'The id of an identity, or group/name, URL-encoded; /name in the ungrouped space.',
    type: 'string',
  },
  group: { description: 'The id or the name of a group of identities.', type: 'string' },
  session: { description: 'The id of a session.', ...idSchema },
  delivery: { description: 'The id of a delivery.', ...idSchema },
}

/** An operation of the document: one route. */
export function toOperation(route: Route<never>, tag: string, components: Components): unknown {
  const { operationId, about, notes } = route
  const described = [...pathParametersOf(route), ...queryParametersOf(route), ...headerParametersOf(route)]
  const named = described.map((parameter) => withExample(parameter, examples.operations[operationId]?.parameters))
  const parameters = isConditional(route) ? [...named, ...conditions] : named
  return {
    tags: [tag],
    operationId,
    summary: about,
    description: [notes, aboutPermission(route)].filter(Boolean).join('\n\n'),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, components),
    responses: { ...errorResponses(route, components), ...responsesOf(route, components) },
  }
}

const conditions = Object.keys(conditionParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

type Parameter = { name: string; [keyword: string]: unknown }

function withExample(parameter: Parameter, recorded: Readonly<Record<string, unknown>> = {}): unknown {
  return parameter.name in recorded ? { ...parameter, example: recorded[parameter.name] } : parameter
}

function pathParametersOf({ path }: Route<never>): Parameter[] {
  return [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => {
    const parameter = pathParameters[name]
    if (!parameter) throw new TypeError(`Describe the path parameter {${name}} of ${path} in openapi/operation.ts.`)
    const { description, ...schema } = parameter
    return { name, in: 'path', required: true, description, schema }
  })
}

function queryParametersOf({ query, otherParameters }: Route<never>): Parameter[] {
  const printed = query ? printSchema(query) : { properties: {} }
  const { properties, required = [] } = printed as { properties: Record<string, JsonSchema>; required?: string[] }
  const named = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  }))
  return otherParameters ? [...named, openParameter(otherParameters)] : named
}

/** Parameters of any name: OpenAPI describes them as the properties of one object. */
function openParameter(parameter: NonNullable<Route<never>['otherParameters']>): Parameter {
  const schema = { type: 'object', additionalProperties: { type: 'string' } }
  return { ...parameter, in: 'query', style: 'form', explode: true, schema }
}

function headerParametersOf({ headers }: Route<never>): Parameter[] {
  return Object.entries(headers?.request ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
}

function requestBodyOf({ operationId, body }: Route<never>, { refer }: Components): { requestBody?: unknown } {
  if (!body) return {}
  const { request } = examples.operations[operationId] ?? {}
  const toContent = (schema: JsonSchema) => ({
    schema: refer(schema),
    ...(request !== undefined && { example: request }),
  })
  if ('anyJson' in body) {
    const types = ['application/json', ...(body.types ?? [])]
    const content = types.map((type) => [type, toContent(body.anyJson)])
    return { requestBody: { required: body.optional !== true, content: Object.fromEntries(content) } }
  }
  const content = { 'application/json': toContent(printSchema(body.schema)) }
  return { requestBody: { required: body.optional !== true, content } }
}

function responsesOf(route: Route<never>, { refer }: Components): Record<string, unknown> {
  const { operationId, response, isPage, headers } = route
  const own = Object.entries(headers?.response ?? {}).map(([name, header]) => [name, toHeader(header)])
  const ofRead = isConditional(route) ? headersOfReads : {}
  const common = { headers: { ...headersOfAll, ...ofRead, ...Object.fromEntries(own) } }
  const statuses = isConditional(route) ? { ...response, 304: null } : response
  const { answers = {} } = examples.operations[operationId] ?? {}
  return Object.fromEntries(
    Object.entries(statuses).map(([status, schema]) => {
      const description = descriptions[status] ?? 'Nothing was changed.'
      if (schema === null) return [status, { description, ...common }]
      const { contentMediaType: type = 'application/json' } = schema as { contentMediaType?: string }
      const content = { schema: refer(schema), ...(status in answers && { example: answers[status] }) }
      const page = isPage && { 'text/html': { schema: { type: 'string' } } }
      return [status, { description, ...common, content: { [type]: content, ...page } }]
    }),
  )
}

const descriptions: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is no body.',
  303: 'Read the address in `location`.',
  304: 'The copy that the client has kept is still valid; there is no body.',
}

const userSession = [{ session: [] }, { [sessionCookie]: [] }]
const apiToken = [{ apiToken: [] }]
const identitySession = [
  { apiToken: [], identityToken: [] },
  { apiToken: [], identityToken: [], identityGroup: [] },
]

/** Any one of these combinations of credentials (contract 1.2). */
function securityOf({ permission, identity, session }: Route<never>): unknown[] {
  if (session === 'identity') return identitySession
  if (permission === 'user' || session === 'user') return userSession
  if (permission === 'user or nobody') return [...userSession, {}]
  if (permission === 'public') return []
  return [...apiToken, ...(identity === 'ignored' ? [] : identitySession), ...userSession]
}

/** Who may call it (contract 1.2), and which rules a token needs (contract 3). */
function aboutPermission({ permission, session }: Route<never>): string {
  if (permission === 'public') return 'Needs no credentials.'
  if (permission === 'user') return 'Needs a signed-in user; an API token gets 403 `USER_MODE_REQUIRED`.'
  if (permission === 'user or nobody') {
    return 'Needs a signed-in user, except with `optional=true`; an API token gets 403 `USER_MODE_REQUIRED`.'
  }
  if (permission === 'authenticated') {
    return session === 'identity' ? 'Needs an API token and the session of an identity.' : 'Needs any live credentials.'
  }
  const { always, byBody } = 'always' in permission ? permission : { always: [permission].flat(), byBody: [] }
  const listed = (permissions: typeof always) =>
    permissions.map(({ action, resourceType }) => `\`${action}\` of \`${resourceType}\``).join(', ')
  if (always.length === 0) return `A token needs, depending on the body, ${listed(byBody)}.`
  const further = byBody.length > 0 ? ` Depending on the body, also ${listed(byBody)}.` : ''
  return `A token needs ${listed(always)}.${further}`
}
