import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'

type Schema = { $ref?: string; description?: string; anyOf?: Schema[]; properties?: Record<string, Schema> }
type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters?: (Parameter | { $ref: string })[]
}
type Parameter = { name: string; description?: string }
type Document = {
  info: { description: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

/** A text in the API's description, with its place. */
type Described = { place: string; text: string | undefined }

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../fixtures/openapi.json'), 'utf8'),
)
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

const summaries = operations.map(({ operationId, summary }) => ({ place: `${operationId} summary`, text: summary }))
const descriptions = operations.map(({ operationId, description }) => ({ place: operationId, text: description }))
const tags = document.tags.map(({ name, description }) => ({ place: `tag ${name}`, text: description }))
const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
  parameters.map((parameter) => {
    const reference = '$ref' in parameter ? parameter.$ref.replace('#/components/parameters/', '') : null
    const found = reference === null ? (parameter as Parameter) : document.components.parameters[reference]
    return { place: `${operationId} ?${found?.name}`, text: found?.description }
  }),
)
const components = Object.entries(document.components.schemas).map(([name, schema]) => ({
  place: name,
  text: schema.description,
}))
const properties = propertiesIn(document)

/** Every property of every schema, with its description or that of the schema that it references. */
function propertiesIn(value: unknown, place = ''): Described[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.entries((value as Schema).properties ?? {}).flatMap(([name, schema]) =>
    textsOf(schema).map((text) => ({ place: `${place}.${name}`, text })),
  )
  const inner = Object.entries(value).filter(([name]) => !['examples', 'example', 'default'].includes(name))
  return [...own, ...inner.flatMap(([name, below]) => propertiesIn(below, `${place}/${name}`))]
}

/** The descriptions of a schema; an `anyOf` without a description has one in each member. */
function textsOf({ description, $ref, anyOf }: Schema): (string | undefined)[] {
  if (description !== undefined) return [description]
  if ($ref) return [document.components.schemas[$ref.replace('#/components/schemas/', '')]?.description]
  return anyOf ? anyOf.flatMap(textsOf) : [undefined]
}

/** The maximum number of characters for each kind of text; longer explanations are in docs/api.md. */
const kinds: [kind: string, described: readonly Described[], longest: number][] = [
  ['operation has a summary', summaries, 120],
  ['operation', descriptions, 420],
  ['tag', tags, 160],
  ['parameter', parameters, 320],
  ['schema with a name', components, 160],
  ['property', properties, 200],
]

for (const [kind, described, longest] of kinds) {
  test(`every ${kind} has a description, of at most ${longest} characters`, (t) => {
    t.true(described.length > 0)
    const wrong = described.filter(({ text }) => !text || text.length > longest)
    t.deepEqual(wrong, [])
  })
}

/** Openings that delay the subject, and passives that hide who acts. */
const boilerplate =
  /^(What|Those|There (is|are)|It is|One that|That which|When it)\b|\bis (used|meant|intended) (to|for)\b/

test('descriptions begin with their subject or their verb', (t) => {
  const all = kinds.flatMap(([, described]) => described)
  t.deepEqual(
    all.filter(({ text = '' }) => boilerplate.test(text)),
    [],
  )
})

test('descriptions are sentences', (t) => {
  const all = kinds.flatMap(([, described]) => described)
  t.deepEqual(
    all.filter(({ text = '' }) => !/^[A-Z0-9`].*[.]$/s.test(text)),
    [],
  )
})

test('the introduction says what applies to many calls', (t) => {
  const headings = [...document.info.description.matchAll(/^# (.+)$/gm)].map(([, heading]) => heading)
  t.deepEqual(headings, [
    'Authentication',
    'Pages and cursors',
    'Filters',
    'Errors',
    'Conditional reads',
    'Conditional writes',
    'Idempotency',
    'Limits',
  ])
})
