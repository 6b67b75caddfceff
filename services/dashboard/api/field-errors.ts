import type { ListdError } from '#client/src/error.ts'

/**
 * The first error message of each field in an answer, by field name and without that name. An error of an element, such as `tags.0`, is
 * reported at its field.
 */
export function fieldErrors({ details }: ListdError): ReadonlyMap<string, string> {
  const byField = new Map<string, string>()
  for (const { path, message } of details?.errors ?? []) {
    const [field = '', ...below] = path.split('.')
    const rule = message.replace(`"${path}" `, '')
    if (!byField.has(field)) byField.set(field, below.length > 0 ? `${below.join('.')} ${rule}` : rule)
  }
  return byField
}
