import type { DataError } from '#shared/json-schema/errors.ts'

/**
 * What an answer says of an input that its schema refuses: a sentence that begins with the name of the property, such as
 * "action must be one of "open", "close"". Of several errors it is the first.
 */
export function inputMessage([first]: readonly DataError[]): string {
  if (!first) return 'input is not valid'
  const path = first.path.replace(/^data\.?/, '')
  const [, missing] = /^must have the property (".*")$/s.exec(first.message) ?? []
  if (missing === undefined) return `${path || 'input'} ${first.message}`
  return `${path === '' ? '' : `${path}.`}${nameOf(missing)} must be given`
}

/** A long name is told by its beginning, without the quote at its end. */
function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
