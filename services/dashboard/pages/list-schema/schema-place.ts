import { parsePointer } from '#shared/json/pointer.ts'

/** The kind of a place in the text of a schema: a schema, or the value of the keyword `of`. */
export type SchemaPlace = { is: 'schema' } | { is: 'value'; of: string } | { is: 'other' }

/** Keywords of draft-07, and the keyword that only the dashboard reads, with their purpose, in the order of the completions. */
export const keywords: readonly (readonly [name: string, about: string])[] = [
  ['type', 'the type of the value, or several'],
  ['properties', 'schemas of the properties of an object'],
  ['required', 'properties that an object must have'],
  ['items', 'the schema of the elements of an array'],
  ['enum', 'the values that are allowed'],
  ['const', 'the one value that is allowed'],
  ['format', 'what a text is, such as an email address'],
  ['pattern', 'a regular expression that a text matches'],
  ['minLength', 'the fewest characters of a text'],
  ['maxLength', 'the most characters of a text'],
  ['minimum', 'the smallest number'],
  ['maximum', 'the largest number'],
  ['exclusiveMinimum', 'a number that the value must exceed'],
  ['exclusiveMaximum', 'a number that the value must stay below'],
  ['multipleOf', 'what a number is a multiple of'],
  ['minItems', 'the fewest elements of an array'],
  ['maxItems', 'the most elements of an array'],
  ['uniqueItems', 'whether no two elements may be equal'],
  ['contains', 'a schema that at least one element must match'],
  ['additionalItems', 'the schema of all other elements'],
  ['additionalProperties', 'the schema of all other properties; false allows none'],
  ['patternProperties', 'schemas of properties by patterns of their names'],
  ['propertyNames', 'the schema of property names'],
  ['minProperties', 'the fewest properties of an object'],
  ['maxProperties', 'the most properties of an object'],
  ['dependencies', 'what a property requires'],
  ['allOf', 'schemas that must all match'],
  ['anyOf', 'schemas of which at least one must match'],
  ['oneOf', 'schemas of which exactly one must match'],
  ['not', 'a schema that must not match'],
  ['if', 'a condition for then and else'],
  ['then', 'the schema if the condition matches'],
  ['else', 'the schema if it does not'],
  ['definitions', 'schemas to refer to'],
  ['$ref', 'the place of another schema, such as #/definitions/address'],
  ['$id', 'the base URI of references'],
  ['$schema', 'the dialect of the schema'],
  ['$comment', 'a note for readers of the schema'],
  ['title', 'a short name'],
  ['description', 'a sentence about the value'],
  ['default', 'a value for those who fill it in'],
  ['examples', 'example values'],
  ['readOnly', 'whether only the owner changes it'],
  ['writeOnly', 'whether it is never shown'],
  ['x-list', 'the list whose item a text names: a hint for people'],
]

/** Formats that the service checks. */
export const formats = [
  'date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uri-template',
  'json-pointer', 'relative-json-pointer', 'regex', 'uuid', 'idn-email', 'idn-hostname', 'iri', 'iri-reference',
] // biome-ignore format: a list of words

const holdSchema = new Set(
  'items additionalItems contains additionalProperties propertyNames if then else not'.split(' '),
)
const holdMap = new Set('properties patternProperties definitions dependencies'.split(' '))
const holdArray = new Set('allOf anyOf oneOf'.split(' '))

/** The kind of the place at a pointer into a schema. */
export function placeOf(pointer: string): SchemaPlace {
  let inside: 'schema' | 'map' | 'array' | 'items' = 'schema'
  let value: string | null = null
  for (const step of parsePointer(pointer) ?? []) {
    // The value of a keyword may contain anything, such as an array of types.
    if (value !== null) continue
    if (inside === 'map' || inside === 'array' || (inside === 'items' && /^\d+$/.test(step))) inside = 'schema'
    else if (step === 'items') inside = 'items'
    else if (holdSchema.has(step)) inside = 'schema'
    else if (holdMap.has(step)) inside = 'map'
    else if (holdArray.has(step)) inside = 'array'
    else value = step
  }
  if (value !== null) return { is: 'value', of: value }
  return inside === 'schema' || inside === 'items' ? { is: 'schema' } : { is: 'other' }
}
