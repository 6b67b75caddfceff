import { isObject } from '#shared/json/is-object.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

/**
 * An inferred schema without its `enum` and `required`: it describes the items, but allows other values and missing members.
 * @param schema a schema returned by `inferSchema`
 */
export function asDescription(schema: SchemaObject): SchemaObject {
  const { enum: _values, required: _required, properties, items, ...rest } = schema
  const entries = isObject(properties) ? Object.entries(properties) : []
  return {
    ...rest,
    ...(entries.length > 0
      ? { properties: Object.fromEntries(entries.map(([name, one]) => [name, described(one)])) }
      : {}),
    ...(items === undefined ? {} : { items: described(items) }),
  }
}

const described = (schema: unknown) => (isObject(schema) ? asDescription(schema) : schema)

/** Whether a schema does not describe what the data contain. In that case a schema inferred from the items is more useful. */
export function saysNothing(schema: SchemaObject): boolean {
  return (
    Object.keys(schema).every((keyword) =>
      /^(\$schema|\$id|\$comment|title|description|type|additionalProperties)$/.test(keyword),
    ) &&
    schema.additionalProperties !== false &&
    (schema.type === undefined || schema.type === 'object')
  )
}
