import type { Completion } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { jsonCompletion, keyOption, valueOption } from '../../parts/editor/json-completion.ts'
import { formats, keywords, placeOf } from './schema-place.ts'
import { schemaTypes } from './schema-tree.ts'

/** Completes keywords of draft-07 in a schema, and the values of some keywords. */
export function schemaCompletion(): Extension {
  return jsonCompletion(schemaOptions)
}

/** The completions at a pointer into a schema. @param beginsMember true: a key is expected; false: a value */
export function schemaOptions(pointer: string, beginsMember: boolean): Completion[] {
  const place = placeOf(pointer)
  if (place.is === 'schema' && beginsMember) return keywords.map(([name, about]) => keyOption(name, about))
  return place.is === 'value' ? (values[place.of] ?? []).map(valueOption) : []
}

const flags = [true, false]
const values: Readonly<Record<string, readonly unknown[]>> = {
  type: schemaTypes,
  format: formats,
  uniqueItems: flags,
  readOnly: flags,
  writeOnly: flags,
  $schema: ['http://json-schema.org/draft-07/schema#'],
}
