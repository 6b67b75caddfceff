import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'

/** The named components of a document. */
export type Components = {
  schemas: Record<string, JsonSchema>
  responses: Record<string, unknown>
  /** The schema with every titled schema in it, and itself if titled, replaced by a reference to a component. */
  refer(schema: JsonSchema): JsonSchema
}

/** Keywords that hold a schema, a list of schemas, or schemas by name; all others hold values. */
const schemaKeywords = ['items', 'additionalProperties', 'propertyNames', 'not']
const listKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const mapKeywords = ['properties', 'patternProperties']

export function createComponents(): Components {
  const schemas: Record<string, JsonSchema> = {}

  function refer(schema: JsonSchema): JsonSchema {
    const inner = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value)]),
    )
    const { title } = schema
    if (typeof title !== 'string') return inner
    if (schemas[title] && JSON.stringify(schemas[title]) !== JSON.stringify(inner)) {
      throw new TypeError(`Two schemas have the title ${title}.`)
    }
    schemas[title] = inner
    return { $ref: `#/components/schemas/${title}` }
  }

  function within(keyword: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (schemaKeywords.includes(keyword)) return refer(value as JsonSchema)
    if (listKeywords.includes(keyword)) return (value as JsonSchema[]).map(refer)
    if (!mapKeywords.includes(keyword)) return value
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, refer(schema)]))
  }

  return { schemas, responses: {}, refer }
}
