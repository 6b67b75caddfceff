import { arrayOf, text } from '../../schemas/response-schemas.ts'

/** The property `warnings` of an answer to a write; it is absent when there are none. */
export const warningsSchema = {
  ...arrayOf(text),
  description: 'Sentences about settings that are hardly what was meant; absent: none.',
}

/** The text of an object with the warnings about what a request has set, if there are any. */
export function withWarnings(object: string, warnings: readonly string[]): string {
  return warnings.length === 0 ? object : `${object.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}
