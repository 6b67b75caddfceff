import { Ajv } from 'ajv'
import test from 'ava'
import type Joi from 'joi'
import { commonRules } from '#services/gateway/http/input/validation.ts'
import { fieldSchemas } from '#services/gateway/schemas/field-schemas.ts'
import type { Body, Field, Fields } from '#shared/domain/fields/field.ts'
import { fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { groupFields } from '#shared/domain/identity/group-fields.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { indexRules, listRules } from '#shared/domain/sync/document/fields.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { webhookFields } from '#shared/domain/webhook/fields.ts'

const resources: Record<string, Fields> = {
  list: listFields,
  index: indexFields,
  item: itemFields,
  webhook: webhookFields,
  token: tokenFields,
  group: groupFields,
}
const fieldsOfAll = Object.entries(resources).flatMap(([resource, fields]) =>
  Object.entries(fields).map(([name, field]) => ({ title: `${resource}.${name}`, fields, name, field })),
)

const ajv = new Ajv({ strict: false, validateFormats: false })

/** All texts of at most three of these characters. */
const shortTexts = ['a', 'Z', '0', '-', '/', '~', ' ', 'ä', '😀', '\u0000'].reduce<string[]>(
  (texts, _, __, characters) =>
    texts.length > 200 ? texts : ['', ...texts.flatMap((text) => characters.map((character) => text + character))],
  [''],
)
const id = '0190f5fe-7c00-7a00-8000-000000000001'
const anyValues = [
  null,
  true,
  false,
  'true',
  0,
  1,
  1.5,
  -1,
  '1',
  {},
  [],
  ['a'],
  [null],
  [['a']],
  ['a b'],
  [id],
  [`${id}0`],
]

/** Values of every kind, and values at the bounds of the field. */
function valuesFor(field: Field): unknown[] {
  return [...anyValues, ...shortTexts, ...valuesAtBounds(field)]
}

function valuesAtBounds(field: Field): unknown[] {
  switch (field.kind) {
    case 'integer':
      return [field.min, field.max].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))
    case 'text':
      return ['a', 'ä', '😀', '/'].flatMap((character) =>
        [field.max, field.max + 1].flatMap((length) => [character.repeat(length), `/${character.repeat(length - 1)}`]),
      )
    case 'choice':
      return [...field.of, field.of]
    case 'list': {
      const entries = typeof field.of === 'string' ? [entryOf[field.of]] : field.of
      return entries.flatMap((entry) => [[entry], Array(field.max).fill(entry), Array(field.max + 1).fill(entry)])
    }
    default:
      return []
  }
}

const entryOf = { tag: 'a', id, cidr: '::1', text: 'a' } as const

const shortened = (value: unknown) => JSON.stringify(value).slice(0, 60)

/** Whether JSON Schema can express every rule by which a body validates such a field. */
function isSaidWhole(field: Field): boolean {
  if (field.kind === 'list') return field.of !== 'cidr'
  return !['time', 'json', 'rules'].includes(field.kind)
}

for (const { title, fields, name, field } of fieldsOfAll) {
  for (const body of ['create', 'update'] as const) {
    if (!field.write?.includes(body) || !isSaidWhole(field)) continue
    test(`a body accepts what the JSON Schema of the field accepts: ${title}, ${body}`, (t) => {
      const schema = schemaOf(fields, body, name).prefs({ ...commonRules, convert: false })
      const matches = ajv.compile(fieldSchema(field))
      const differing = valuesFor(field).filter(
        (value) => matches(value) !== (schema.validate(value).error === undefined),
      )
      t.deepEqual(differing.map(shortened), [])
    })
  }

  if ('initial' in field) {
    test(`the initial value is valid: ${title}`, (t) => t.true(ajv.validate(fieldSchema(field), field.initial)))
  }
}

function schemaOf(fields: Fields, body: Body, name: string): Joi.Schema {
  const schemas: Record<string, Joi.Schema> = fieldSchemas(fields, body)
  return schemas[name] as Joi.Schema
}

const documentProperties = Object.entries({ list: listRules, index: indexRules }).flatMap(([entry, rules]) =>
  Object.entries(rules).map(([name, rule]) => ({ entry, name, rule, field: resources[entry]?.[name] })),
)
for (const { entry, name, rule, field } of documentProperties) {
  test(`a sync document accepts what the JSON Schema of its property accepts: ${entry}.${name}`, (t) => {
    const matches = ajv.compile(rule.schema)
    const values = field ? valuesFor(field) : anyValues
    const differing = values.filter((value) => matches(value) !== (rule.errors(value, name).length === 0))
    t.deepEqual(differing.map(shortened), [])
  })
}
