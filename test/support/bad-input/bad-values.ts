import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Schema = { [keyword: string]: unknown; $ref?: string }
type Parameter = { in: string; name: string; schema: Record<string, unknown> }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }

/** A schema of the committed description, by its JSON Pointer. */
export type Described = { pointer: string; schema: Schema }

const description: { paths: Record<string, Record<string, Operation>> } & Schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/openapi.json'), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, ownProperties: true }).addSchema(description, 'openapi.json')
addFormats.default(ajv)

/** Whether the description allows a value there. */
export function isAllowed({ pointer }: Described, value: unknown): boolean {
  const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`)
  if (!validate) throw new Error(`the description has no ${pointer}`)
  return validate(value) === true
}

export function operationAt(method: string, path: string): { pointer: string; operation: Operation } {
  const named = path.replace('*}', '}')
  const operation = description.paths[named]?.[method.toLowerCase()]
  if (!operation) throw new Error(`the description has no ${method} ${path}`)
  return { pointer: `/paths/${escapeStep(named)}/${method.toLowerCase()}`, operation }
}

/** The schema of a JSON body; null if there is none. */
export function bodyAt(method: string, path: string): Described | null {
  const { pointer, operation } = operationAt(method, path)
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema ? resolved({ pointer: `${pointer}/requestBody/content/application~1json/schema`, schema }) : null
}

/** The names of the parameters of a route's query, and of the members of its body. */
export function fieldsAt(method: string, path: string): string[] {
  const { parameters = [] } = operationAt(method, path).operation
  const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const body = bodyAt(method, path)
  const variants = body ? [body.schema, ...alternatives(body.schema)] : []
  return [...inQuery, ...variants.flatMap(({ properties }) => Object.keys(Object(properties)))]
}

/** A part of a schema, after following its reference. */
export function partOf({ pointer, schema }: Described, ...steps: string[]): Described | null {
  const part = steps.reduce<unknown>((outer, step) => Object(outer)[step], schema)
  if (typeof part !== 'object' || part === null) return null
  return resolved({ pointer: [pointer, ...steps.map(escapeStep)].join('/'), schema: part as Schema })
}

function resolved(described: Described): Described {
  const { $ref } = described.schema
  if ($ref === undefined) return described
  const steps = $ref.slice(2).split('/')
  const schema = steps.reduce<unknown>((outer, step) => Object(outer)[step], description)
  return resolved({ pointer: `/${steps.join('/')}`, schema: schema as Schema })
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Values, of which a field accepts some, by description. */
const values: Readonly<Record<string, unknown>> = {
  null: null,
  'a flag': true,
  'a number': 5,
  'a negative number': -1,
  'a fraction': 1.5,
  'a big number': 2 ** 60,
  'no text': '',
  'a text': 'no such value',
  'a strange text': ' ../<"\'%\\ü😀',
  'an empty list': [],
  'a list of numbers': [5],
  'a list of lists': [['x']],
  'a list of null': [null],
  'an empty object': {},
  'an object': { unknown: 1 },
}

/** Values that the API's description does not allow in a field, by description; `present` is an allowed value. */
export function badValues(field: Described, present: unknown): Record<string, unknown> {
  const all = { ...values, ...longTexts(field), ...longList(field, present) }
  const bad = Object.entries(all).filter(([, value]) => !isAllowed(field, value))
  return { ...Object.fromEntries(bad), 'U+0000': 'a\u0000b' }
}

/** A text with one character more than allowed, alone and in a list. */
function longTexts({ schema }: Described): Record<string, unknown> {
  const lengths = keywordsIn(schema, 'maxLength').filter((length) => length < 100_000)
  if (lengths.length === 0) return {}
  const text = 'x'.repeat(Math.max(...lengths) + 1)
  return { 'a long text': text, 'a list of a long text': [text] }
}

function longList({ schema }: Described, present: unknown): Record<string, unknown> {
  const [most] = keywordsIn(schema, 'maxItems')
  if (most === undefined || !Array.isArray(present)) return {}
  return { 'a long list': Array.from({ length: most + 1 }, () => present[0]) }
}

/** The values of a keyword in a schema and in its parts; not in those of members. */
function keywordsIn(schema: Schema, keyword: string): number[] {
  const own = schema[keyword]
  const parts = [...(schema.items ? [schema.items as Schema] : []), ...alternatives(schema)]
  const inner = parts.flatMap((part) => keywordsIn(part, keyword))
  return typeof own === 'number' ? [own, ...inner] : inner
}

function alternatives(schema: Schema): Schema[] {
  return ['anyOf', 'allOf', 'oneOf'].flatMap((list) => (schema[list] as Schema[] | undefined) ?? [])
}
