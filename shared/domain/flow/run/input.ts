import type { FieldError } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'

/** What an answer says of an input that its schema rejects: each error at the property that it is about, also at one that is missing. */
export function inputErrors(errors: readonly DataError[]): FieldError[] {
  return errors.map(({ path: inData, message }) => {
    const path = inData.replace(/^data\.?/, '')
    const [, missing] = /^must have the property (".*")$/s.exec(message) ?? []
    if (missing === undefined) return { path: path || 'input', message }
    return { path: `${path === '' ? '' : `${path}.`}${nameOf(missing)}`, message: 'must be given' }
  })
}

/**
 * The same as a sentence that begins with the name of the property, such as "action must be one of "open", "close"". Of several errors it
 * is the first.
 */
export function inputMessage(errors: readonly DataError[]): string {
  const [first] = inputErrors(errors.slice(0, 1))
  return first ? `${first.path} ${first.message}` : 'input is not valid'
}

/** A long name is shown by its beginning, without the quote at its end. */
function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
