import { isObject } from '#shared/json/is-object.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

/**
 * What was seen of a list's items as a description that forbids nothing: other values than those that were seen are welcome, and no
 * member has to be there.
 * @param schema one that `inferSchema` gives
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

/** Whether a schema leaves it open what data have in them: then what was seen of the items says more. */
export function saysNothing(schema: SchemaObject): boolean {
  return (
    Object.keys(schema).every((keyword) =>
      /^(\$schema|\$id|\$comment|title|description|type|additionalProperties)$/.test(keyword),
    ) &&
    schema.additionalProperties !== false &&
    (schema.type === undefined || schema.type === 'object')
  )
}
