import { permissionRulesSchema } from '../access/permission-rule.ts'
import { idRule } from '../id.ts'
import { lengths } from '../limits.ts'
import { tagPattern } from '../tags.ts'
import { isoTimePattern } from '../text/iso-time.ts'
import type { Field, Fields, TextRule } from './field.ts'

/** A JSON Schema that is valid in both draft-07, for editors, and draft 2020-12, for OpenAPI. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** An object with any members. Without `additionalProperties`, generated clients would expect no members. */
export const anyObject: JsonSchema = { type: 'object', additionalProperties: true }

/** An id. */
export const idSchema: JsonSchema = { type: 'string', ...ruleSchema(idRule) }

/** The schema of the values that a body or a document may set a field to, with its description. */
export function fieldSchema(field: Field): JsonSchema {
  const schema = valueSchema(field)
  if (!field.nullable) return { description: field.about, ...schema }
  // An `enum` has no type.
  if ('enum' in schema) return { description: field.about, enum: [...(schema.enum as unknown[]), null] }
  return { description: field.about, ...schema, type: [schema.type, 'null'] }
}

/**
 * The schema of a resource in answers: every field that is not hidden. The maximum number of entries applies to bodies, not to answers: a
 * list of a scope also has the scope's tag.
 */
export function answerSchema(fields: Fields): JsonSchema {
  const shown = Object.entries(fields).filter(([, { hidden }]) => !hidden)
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, field]) => [name, answeredSchema(field)])),
    required: shown.map(([name]) => name),
    additionalProperties: false,
  }
}

function answeredSchema(field: Field): JsonSchema {
  const { maxItems: _ofBodies, ...schema } = fieldSchema(field)
  return schema
}

/** U+0000 is never allowed: Postgres cannot store it in a text column. */
const anyText = '^[^\\u0000]*$'

function valueSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case 'flag':
      return { type: 'boolean' }
    case 'integer':
      return { type: 'integer', ...bounds(field, 'minimum', 'maximum') }
    case 'time':
      return { type: 'string', format: 'date-time', pattern: isoTimePattern }
    case 'text':
      return { type: 'string', ...bounds(field, 'minLength', 'maxLength'), ...ruleSchema(field.rule) }
    case 'choice':
      return { enum: field.of }
    case 'list':
      return { type: 'array', maxItems: field.max, items: entrySchema(field.of) }
    case 'json':
      return anyObject
    case 'rules':
      return { type: 'array', ...permissionRulesSchema }
  }
}

function ruleSchema({ pattern, format }: Partial<TextRule> = {}): JsonSchema {
  return { pattern: pattern ?? anyText, ...(format && { format }) }
}

function bounds({ min, max }: { min?: number; max?: number }, least: string, most: string): JsonSchema {
  return { ...(min !== undefined && { [least]: min }), ...(max !== undefined && { [most]: max }) }
}

function entrySchema(of: Extract<Field, { kind: 'list' }>['of']): JsonSchema {
  if (of === 'tag') return { type: 'string', pattern: tagPattern }
  if (of === 'id') return idSchema
  if (of === 'text') return { type: 'string', pattern: anyText }
  if (of === 'cidr') return { type: 'string', maxLength: lengths.cidr }
  return { enum: of }
}
