import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import test from 'ava'
import recorded from '#services/gateway/http/openapi/examples.json' with { type: 'json' }
import { apiRoutes, routes } from '#services/gateway/resources/index.ts'
import { matchesFixture } from '../../../../support/assertions/fixture.ts'

const text = await openApiText()
const document = JSON.parse(text)

async function openApiText(): Promise<string> {
  const route = apiRoutes.find(({ path }) => path === '/openapi.json')
  const response = await route?.handle(
    {} as never,
    { config: { gateway: { publicUrl: 'http://127.0.0.1:3000' } } } as never,
  )
  return String(response?.body)
}

test('it is a valid OpenAPI 3.1 document', async (t) => {
  const validator = new Validator()
  t.deepEqual(await validator.validate(JSON.parse(text)), { valid: true })
  t.is(validator.version, '3.1')
})

test('it matches the committed one', async (t) => {
  await matchesFixture(t, 'openapi.json', `${JSON.stringify(document, null, 2)}\n`)
})

test('it has every route of the API and no other', (t) => {
  const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.deepEqual(described.sort(), apiRoutes.map(({ method, path }) => `${method} ${path.replace('*}', '}')}`).sort())
  for (const { path } of routes.slice(apiRoutes.length)) t.regex(path, /^\/dashboard(\/|$)/, 'for browsers only')
})

test('every call has its own name', (t) => {
  const names = routes.map(({ operationId }) => operationId)
  t.deepEqual(
    names.filter((name, n) => names.indexOf(name) !== n),
    [],
  )
})

type Described = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Schema = {
  $ref?: string
  default?: unknown
  properties?: unknown
  anyOf?: unknown
  additionalProperties?: unknown
}

/** Every default and every example in the document, with the pointer of its schema. */
function shownValues(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const { schema, example, examples = {} } = value as Described
  const shown = [...('example' in value ? [example] : []), ...Object.values(examples).map((one) => one.value)]
  const own: [string, unknown][] = schema ? shown.map((one) => [`${pointer}/schema`, one]) : []
  if ('default' in value && !schema) own.push([pointer, value.default])
  const inner = Object.entries(value)
    .filter(([name]) => !['example', 'examples', 'default'].includes(name))
    .flatMap(([name, below]) => shownValues(below, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`))
  return [...own, ...inner]
}

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'openapi.json')
addFormats.default(ajv)

test('every example and every default matches its schema', (t) => {
  const shown = shownValues(document)
  t.true(shown.length > 300)
  for (const [pointer, value] of shown) {
    const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`)
    t.true(validate?.(value), `${pointer}: ${ajv.errorsText(validate?.errors)}`)
  }
})

const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) => Object.values(methods))

test('every body of a request and of a success has a recorded example, unless it is a document', (t) => {
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].map((part) => ({ operationId, ...part?.content?.['application/json'] })),
  )
  const without = bodies.filter(({ schema, example }) => schema && isOurs(resolve(schema)) && example === undefined)
  t.deepEqual(without, [])
})

test('every parameter of a path has a recorded example', (t) => {
  const inPaths = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter((parameter) => parameter.in === 'path').map((parameter) => ({ operationId, ...parameter })),
  )
  t.deepEqual(
    inPaths.filter(({ example }) => example === undefined),
    [],
  )
})

test('the common errors have a recorded example', (t) => {
  const named = Object.values<Content>(document.components.responses).flatMap(({ content }) =>
    Object.keys(content?.['application/json']?.examples ?? {}),
  )
  const statuses = ['VALIDATION_FAILED', 'USER_NOT_AUTHENTICATED', 'TOKEN_NOT_AUTHORIZED', 'REQUESTED_ENTITY_NOT_FOUND']
  for (const name of [...statuses, 'ITEM_ALIAS_TAKEN', 'ITEM_PRECONDITION_FAILED', 'IDENTITY_TOO_MANY_ATTEMPTS']) {
    t.true(named.includes(name), name)
    t.true(name in recorded.errors, name)
  }
})

/** Whether the API defines the object's properties. An object with any properties is a document with its own format. */
function isOurs({ properties, anyOf, additionalProperties }: Schema): boolean {
  return additionalProperties !== true && (properties ?? anyOf) !== undefined
}

function resolve({ $ref, ...schema }: Schema): Schema {
  return $ref ? document.components.schemas[$ref.replace('#/components/schemas/', '')] : schema
}

type Content = { content?: Record<string, Described> }
type Parameter = { name: string; in: string; example?: unknown }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}
