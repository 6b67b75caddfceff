import type { FieldError } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'

/** The errors of an input that its schema rejects. A missing property is reported at the path of that property. */
export function inputErrors(errors: readonly DataError[]): FieldError[] {
  return errors.map(({ path: inData, message }) => {
    const path = inData.replace(/^data\.?/, '')
    const [, missing] = /^must have the property (".*")$/s.exec(message) ?? []
    if (missing === undefined) return { path: path || 'input', message }
    return { path: `${path === '' ? '' : `${path}.`}${nameOf(missing)}`, message: 'must be given' }
  })
}

/** The first of the same errors as a sentence that begins with the property, such as "action must be one of "open", "close"". */
export function inputMessage(errors: readonly DataError[]): string {
  const [first] = inputErrors(errors.slice(0, 1))
  return first ? `${first.path} ${first.message}` : 'input is not valid'
}

/** A long name is cut, without its closing quote. */
function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
