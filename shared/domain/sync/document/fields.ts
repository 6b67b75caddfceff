import type { FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { Field, Fields } from '../../fields/field.ts'
import { anyObject, fieldSchema, type JsonSchema } from '../../fields/json-schema.ts'
import { fieldOf, namesIn } from '../../fields/values.ts'
import { bodyBytes, lengths, maxIndexesPerList, maxSyncLists } from '../../limits.ts'
import { listFields } from '../../list/fields.ts'
import { indexFields } from '../../list/index-fields.ts'
import { scopePattern } from '../../list/scope.ts'
import { pathNamePattern } from '../../path-name.ts'
import { tagErrors } from '../../tags.ts'
import { isLongerThan } from '../../text/code-points.ts'

/** The rule for one property of a sync document: validated here, and given to editors as JSON Schema. */
type PropertyRule = { errors(value: unknown, path: string): FieldError[]; schema: JsonSchema }

export type PropertyRules = Readonly<Record<string, PropertyRule>>

/** Properties of the document itself (specification, Sync document). */
export const documentRules: PropertyRules = {
  $schema: ruleOf({ kind: 'text', max: bodyBytes.syncDocument, about: 'The URL of this format, for editors.' }),
  scope: ruleOf({
    kind: 'text',
    max: lengths.scope,
    rule: { pattern: scopePattern, message: `must be 1 to ${lengths.scope} letters, digits, hyphens or underscores` },
    example: 'cookbook',
    about: 'The application that manages the lists of this document.',
  }),
  lists: keyed('The lists to create or change, by path name.', maxSyncLists),
}

/** Properties of a list entry (specification, List entry). */
export const listRules: PropertyRules = {
  ...rulesOf(listFields, { schema: schemaRule() }),
  indexes: keyed('The indexes to create or change, by path name; others are left as they are.', maxIndexesPerList),
}

/** Properties of an index entry (specification, Index entry). */
export const indexRules: PropertyRules = rulesOf(indexFields, { pointer: pointerRule() })

/** The keys of `lists` and `indexes`. */
export const keySchema = { pattern: pathNamePattern, maxLength: lengths.pathName } as const

/** @param own the rules of fields that the table does not describe completely */
function rulesOf(fields: Fields, own: PropertyRules = {}): PropertyRules {
  return Object.fromEntries(namesIn(fields, 'sync').map((name) => [name, own[name] ?? ruleOf(fieldOf(fields, name))]))
}

/** The schema is validated as text. */
function schemaRule(): PropertyRule {
  return {
    errors: (value, path) =>
      value === null || isObject(value) ? [] : [{ path, message: 'must be an object or null' }],
    schema: {
      description: listFields.schema.about,
      default: listFields.schema.initial,
      anyOf: [{ type: 'null' }, { allOf: [anyObject, { $ref: 'http://json-schema.org/draft-07/schema#' }] }],
    },
  }
}

/** @throws TypeError for a field that needs a separate rule */
export function ruleOf(field: Field): PropertyRule {
  const { initial, example } = field as Field & { initial?: unknown }
  const shown = { ...(initial !== undefined && { default: initial }), ...(example && { examples: [example] }) }
  return { errors: errorsOf(field), schema: { ...fieldSchema(field), ...shown } }
}

/** A new index requires a pointer; its initial value is only a placeholder until the document is checked. */
function pointerRule(): PropertyRule {
  const { errors, schema } = ruleOf(indexFields.pointer)
  const { default: _standIn, ...shown } = schema
  return { errors, schema: shown }
}

/** The entries and their number are validated by the caller that walks the document. */
function keyed(about: string, max: number): PropertyRule {
  return {
    errors: (value, path) => (isObject(value) ? [] : [{ path, message: 'must be an object' }]),
    schema: { description: about, type: 'object', maxProperties: max },
  }
}

function errorsOf(field: Field): PropertyRule['errors'] {
  if (field.kind === 'list' && field.of === 'tag') return tagErrors
  const messageFor = messagesOf(field)
  return (value, path) => {
    const message = value === null && field.nullable ? null : messageFor(value)
    return message === null ? [] : [{ path, message }]
  }
}

function messagesOf(field: Field): (value: unknown) => string | null {
  switch (field.kind) {
    case 'flag':
      return (value) => (typeof value === 'boolean' ? null : 'must be true or false')
    case 'text':
      return textMessages(field)
    case 'choice':
      return (value) => (field.of.includes(value as string) ? null : `must be one of ${field.of.join(', ')}`)
    default:
      throw new TypeError(
        `A field of the kind ${field.kind} in a sync document needs a rule of its own: ${field.about}`,
      )
  }
}

function textMessages({ min, max, rule, nullable }: Extract<Field, { kind: 'text' }>) {
  const pattern = rule && new RegExp(rule.pattern)
  return (value: unknown): string | null => {
    if (typeof value !== 'string') return nullable ? 'must be a string or null' : 'must be a string'
    if (min && value === '') return 'must not be empty'
    if (isLongerThan(value, max)) return `must be at most ${max} characters long`
    if (value.includes('\u0000')) return 'must not contain U+0000'
    return pattern && !pattern.test(value) ? rule.message : null
  }
}
