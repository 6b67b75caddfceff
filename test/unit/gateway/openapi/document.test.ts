import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { matchesFixture } from '../../../support/assertions/fixture.ts'

const text = await openApiText()
const document = JSON.parse(text)

async function openApiText(): Promise<string> {
  const route = routes.find(({ path }) => path === '/openapi.json')
  const { json = '' } =
    (await route?.handle({} as never, { config: { gateway: { publicUrl: 'http://127.0.0.1:3000' } } } as never)) ?? {}
  return String(json)
}

test('it is a valid OpenAPI 3.1 document', async (t) => {
  const validator = new Validator()
  t.deepEqual(await validator.validate(JSON.parse(text)), { valid: true })
  t.is(validator.version, '3.1')
})

test('it is the committed one', async (t) => {
  await matchesFixture(t, 'openapi.json', `${JSON.stringify(document, null, 2)}\n`)
})

test('it has every route of the API and no other', (t) => {
  const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.deepEqual(described.sort(), routes.map(({ method, path }) => `${method} ${path.replace('*}', '}')}`).sort())
})

test('every call has a name of its own', (t) => {
  const names = routes.map(({ operationId }) => operationId)
  t.deepEqual(
    names.filter((name, n) => names.indexOf(name) !== n),
    [],
  )
})

type Schema = {
  $ref?: string
  examples?: unknown[]
  default?: unknown
  properties?: unknown
  anyOf?: unknown
  additionalProperties?: unknown
}

/** Every schema of the document that has examples or a default, by its place. */
function schemasWithValues(value: unknown, pointer = ''): [pointer: string, schema: Schema][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, inner]) =>
    ['examples', 'default'].includes(name)
      ? []
      : schemasWithValues(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return 'examples' in value || 'default' in value ? [[pointer, value as Schema], ...inner] : inner
}

const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'openapi.json')
addFormats.default(ajv)

test('every example and every default is valid by its schema', (t) => {
  for (const [pointer, { examples = [], ...schema }] of schemasWithValues(document)) {
    const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`)
    const values = 'default' in schema ? [...examples, schema.default] : examples
    for (const value of values) t.true(validate?.(value), `${pointer}: ${ajv.errorsText(validate?.errors)}`)
  }
})

test('every body of a request and of a success has an example, unless it is a page or a document', (t) => {
  const bodies = Object.values<Record<string, Operation>>(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].map((part) => ({
        operationId,
        schema: resolve(part?.content?.['application/json']?.schema ?? {}),
      })),
    )
  const without = bodies.filter(({ schema }) => isOurs(schema) && !schema.examples)
  t.deepEqual(without, [])
})

/** An object of any content is a document, which has its own form. */
function isOurs({ properties, anyOf, additionalProperties }: Schema): boolean {
  return additionalProperties !== true && (properties ?? anyOf) !== undefined
}

function resolve({ $ref, ...schema }: Schema): Schema {
  return $ref ? document.components.schemas[$ref.replace('#/components/schemas/', '')] : schema
}

type Content = { content?: Record<string, { schema: Schema }> }
type Operation = {
  operationId: string
  requestBody?: Content
  responses: Record<string, Content>
}
