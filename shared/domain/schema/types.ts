import { isObject } from '#shared/json/is-object.ts'
import { parsePointer, valueAt } from '#shared/json/pointer.ts'

/** Returns an unused name as similar to the wanted one as possible. */
export type UniqueName = (wanted: string) => string

/**
 * A JSON Schema of draft-07 as TypeScript: what it says about types, properties, `required`, items, tuples, `enum`, `const`, `oneOf`,
 * `anyOf`, `allOf` and references within itself. Other keywords that determine a type become `unknown` with the keyword's name; keywords
 * that only narrow a type (`minLength`, `not` next to a type) are ignored.
 * @param schema without errors (see `checkSchema`)
 * @returns declarations: first that of `name`, then those of the places that it refers to
 */
export function schemaTypes(name: string, schema: unknown, uniqueName: UniqueName): string[] {
  const named = new Map([['', name]])
  const context: Context = {
    root: schema,
    // Below another `$id` the same reference has a different target.
    resolves: !hasInnerId(schema),
    nameAt(pointer) {
      const known = named.get(pointer) ?? uniqueName(`${name}${pascalCase(parsePointer(pointer)?.at(-1) ?? '')}`)
      named.set(pointer, known)
      return known
    },
  }
  const declarations: string[] = []
  // Iterating a map also visits entries that are added during the loop.
  for (const [pointer, typeName] of named) {
    const target = valueAt(schema, pointer)
    declarations.push(`${docComment(target, '')}export type ${typeName} = ${typeOf(target, context, '').text}\n`)
  }
  return declarations
}

type Context = { root: unknown; resolves: boolean; nameAt(pointer: string): string }

/** `operator`: the one that joins its outermost parts. */
type Part = { text: string; operator?: '|' | '&' }
type Schema = Record<string, unknown>

function typeOf(schema: unknown, context: Context, indent: string): Part {
  if (schema === false) return never
  if (!isObject(schema)) return unknown
  if (typeof schema.$ref === 'string') return referenceType(schema.$ref, context)
  const each = (keyword: string) => elements(schema[keyword]).map((part) => typeOf(part, context, indent))
  const parts = [ownType(schema, context, indent), ...each('allOf')]
  for (const keyword of ['anyOf', 'oneOf']) if (Array.isArray(schema[keyword])) parts.push(join('|', each(keyword)))
  const type = join('&', parts)
  const keywords = undecided.filter((keyword) => Object.hasOwn(schema, keyword))
  return type === unknown && keywords.length > 0 ? { text: `unknown /* ${keywords.join(', ')} */` } : type
}

const unknown: Part = { text: 'unknown' }
const never: Part = { text: 'never' }

/** Keywords that may determine a type, but are not converted. */
const undecided = ['not', 'if', 'contains', 'propertyNames', 'dependencies']

function referenceType(reference: string, { root, resolves, nameAt }: Context): Part {
  const pointer = reference.startsWith('#') ? decoded(reference.slice(1)) : null
  const isPlace = resolves && pointer !== null && valueAt(root, pointer) !== undefined
  return isPlace ? { text: nameAt(pointer) } : { text: 'unknown /* $ref */' }
}

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}

/** The type by the keywords of the schema itself, except for those with alternatives. */
function ownType(schema: Schema, context: Context, indent: string): Part {
  const types = typesOf(schema)
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : elements(schema.enum)
  if (values.length > 0) {
    return join(
      '|',
      values.filter((value) => isOneOf(value, types)).map((value) => ({ text: JSON.stringify(value) })),
    )
  }
  if (types === null) return unknown
  return join(
    '|',
    types.map((type) => simpleTypes[type] ?? structuredType(type, schema, { context, indent })),
  )
}

const simpleTypes: Readonly<Record<string, Part>> = {
  string: { text: 'string' },
  number: { text: 'number' },
  integer: { text: 'number' },
  boolean: { text: 'boolean' },
  null: { text: 'null' },
}

/** The types that the schema names, or that its keywords apply to; null: none. */
function typesOf(schema: Schema): string[] | null {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type
  const has = (keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword))
  if (has(['properties', 'required', 'additionalProperties', 'patternProperties'])) return ['object']
  return has(['items', 'additionalItems']) ? ['array'] : null
}

function isOneOf(value: unknown, types: string[] | null): boolean {
  if (types === null) return true
  if (value === null) return types.includes('null')
  if (typeof value === 'number') return types.includes('number') || types.includes('integer')
  return types.includes(Array.isArray(value) ? 'array' : typeof value)
}

type At = { context: Context; indent: string }

function structuredType(type: string, schema: Schema, at: At): Part {
  if (type === 'array') return arrayType(schema, at)
  return type === 'object' ? objectType(schema, at) : unknown
}

function arrayType({ items, additionalItems, minItems }: Schema, { context, indent }: At): Part {
  if (!Array.isArray(items)) return { text: `${bracketed(typeOf(items, context, indent))}[]` }
  const needed = typeof minItems === 'number' ? minItems : 0
  const steps = items.map((item, n) => {
    const step = typeOf(item, context, indent)
    return n < needed ? step.text : `${bracketed(step)}?`
  })
  const rest = additionalItems === false ? [] : [`...${bracketed(typeOf(additionalItems, context, indent))}[]`]
  return { text: `[${[...steps, ...rest].join(', ')}]` }
}

function objectType(schema: Schema, { context, indent }: At): Part {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = new Set(elements(schema.required).filter((name) => typeof name === 'string'))
  const others = othersType(schema, { context, indent })
  const names = [...new Set([...Object.keys(properties), ...required])]
  if (names.length === 0) return recordType(others ?? unknown)
  const inner = `${indent}  `
  const lines = names.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const key = `${propertyKey(name)}${required.has(name) ? '' : '?'}`
    return `${docComment(property, inner)}${inner}${key}: ${typeOf(property, context, inner).text}\n`
  })
  if (others !== null && others !== never) lines.push(`${inner}[name: string]: unknown\n`)
  return { text: `{\n${lines.join('')}${indent}}` }
}

/** An index signature, because its type may be recursive; the argument of `Record` may not. */
function recordType(value: Part): Part {
  const isSimple = value === unknown || value === never
  return { text: isSimple ? `Record<string, ${value.text}>` : `{ [name: string]: ${value.text} }` }
}

/** The type of properties without their own schema; null: the schema does not restrict them. */
function othersType({ additionalProperties, patternProperties }: Schema, { context, indent }: At): Part | null {
  if (isObject(patternProperties) && Object.keys(patternProperties).length > 0) return unknown
  return additionalProperties === undefined ? null : typeOf(additionalProperties, context, indent)
}

/** Joins types without duplicates and without types that change nothing. */
function join(operator: '|' | '&', parts: readonly Part[]): Part {
  const [all, nothing] = operator === '|' ? [unknown, never] : [never, unknown]
  const distinct = [...new Map(parts.map((part) => [part.text, part])).values()].filter((part) => part !== nothing)
  if (distinct.includes(all)) return all
  if (distinct.length < 2) return distinct[0] ?? nothing
  const text = distinct.map((part) => (part.operator === operator ? part.text : bracketed(part))).join(` ${operator} `)
  return { text, operator }
}

function bracketed({ text, operator }: Part): string {
  return operator ? `(${text})` : text
}

function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function hasInnerId(schema: unknown): boolean {
  const inner = isObject(schema) ? { ...schema, $id: undefined } : schema
  return JSON.stringify(inner)?.includes('"$id":') ?? false
}

export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** `sign-up_form` is `SignUpForm`. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The description of a schema or list as a doc comment on separate lines; empty when there is none. */
export function docComment(described: unknown, indent: string): string {
  const text = isObject(described) && typeof described.description === 'string' ? described.description : ''
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trimEnd())
  if (lines.every((line) => line === '')) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
