import type { Extension } from '@codemirror/state'
import { jsonCompletion, keyOption, valueOption } from '#services/dashboard/parts/editor/json-completion.ts'
import { childPointer, parsePointer } from '#shared/json/pointer.ts'
import { schemaOptions } from '../../list-schema/schema-completion.ts'
import { formatOptions } from './format-options.ts'

/** Completes keys and values of a sync document, and keywords in the schemas of its lists. @param format the document's JSON Schema */
export function syncCompletion(format: unknown): Extension {
  return jsonCompletion((pointer, beginsMember) => {
    const [first, list, property, ...below] = parsePointer(pointer) ?? []
    if (first === 'lists' && property === 'schema') return schemaOptions(below.reduce(childPointer, ''), beginsMember)
    const steps = [first, list, property, ...below].filter((step) => step !== undefined)
    const { keys, values } = formatOptions(format, steps)
    return beginsMember ? keys.map(([name, about]) => keyOption(name, about)) : values.map(valueOption)
  })
}
