import { objectMembers } from '#shared/json/offsets.ts'

/**
 * The source text of each list's schema, by the list's key: schemas are stored as they were sent, numbers and key
 * order included. Lists without a schema, or with null, are left out.
 * @param lists compact source text of the document's `lists`, known to be an object
 */
export function schemaTexts(lists: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { key, value } of objectMembers(lists, 0)) {
    if (lists[value] !== '{') continue
    const schema = objectMembers(lists, value).find((member) => member.key === 'schema')
    if (schema && lists[schema.value] === '{') texts.set(key, lists.slice(schema.value, schema.end))
  }
  return texts
}
