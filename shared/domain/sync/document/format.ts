import { documentRules, indexRules, keySchema, listRules, type PropertyRules } from './fields.ts'

/** An example document. */
export const syncDocumentExample = {
  scope: 'cookbook',
  lists: { recipes: { name: 'Recipes', indexes: { slug: { pointer: '/slug', alias: true } } } },
}

/**
 * The format of a sync document as JSON Schema, for editors. It cannot express that keys must differ by more than case, nor validate the
 * schemas of lists as strictly as the service: `syncDocumentErrors` decides.
 */
export const syncDocumentFormat = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Schema sync document, version 1',
  description: 'The lists and indexes that an application declares.',
  ...entry(documentRules, { lists: entry(listRules, { indexes: entry(indexRules, {}) }) }),
  required: ['lists'],
  examples: [syncDocumentExample],
}

/** @param below the schemas of the entries of a property */
function entry(rules: PropertyRules, below: Record<string, Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.entries(rules).map(([name, { schema }]) => {
    const values = below[name]
    return [name, values ? { ...schema, propertyNames: keySchema, additionalProperties: values } : schema]
  })
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

/**
 * The format in the API's description: without references to draft-07, which its readers would have to fetch, without defaults, because
 * generated types would require properties that have one, and without examples except for that of the body.
 */
export const syncBodyFormat = JSON.parse(
  JSON.stringify({ ...syncDocumentFormat, $schema: undefined, title: 'SyncDocument' }, (key, value) =>
    key === 'default' || key === 'examples' ? undefined : value?.allOf ? withoutReference(value.allOf) : value,
  ),
)

/** The one part that is not a reference. */
function withoutReference(parts: readonly { $ref?: string }[]): unknown {
  return parts.find(({ $ref }) => $ref === undefined)
}
