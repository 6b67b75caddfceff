import { eachMember, objectMembers } from '#shared/json/text/offsets.ts'

/**
 * The source text of each list's schema, with the list's key: schemas are stored as they were sent, numbers and key order
 * included. Null for a list without a schema, or with null.
 * @param lists compact source text of the document's `lists`, known to be an object
 */
export function* schemaTexts(lists: string): Generator<[key: string, schema: string | null]> {
  for (const { key, value } of eachMember(lists, 0)) yield [key, lists[value] === '{' ? schemaText(lists, value) : null]
}

function schemaText(lists: string, list: number): string | null {
  const schema = objectMembers(lists, list).find((member) => member.key === 'schema')
  return schema && lists[schema.value] === '{' ? lists.slice(schema.value, schema.end) : null
}
