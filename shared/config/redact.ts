import { isObject } from '#shared/json/is-object.ts'

const maxLength = 80
const hidden = '[redacted]'

/** An address with a user, and perhaps a password. */
const credentials = /:\/\/.*@/

/** A value for a message to the operator: truncated JSON; never a secret, an address with a password or the contents of an object. */
export function formatValue(value: unknown, options: { secret: boolean }): string {
  if (options.secret) return hidden
  if (isObject(value)) return '{…}'
  const text = JSON.stringify(value) ?? String(value)
  if (credentials.test(text)) return hidden
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Whether the value of an unknown key may be a secret, because the key may be misspelled. */
export function mayBeSecret(name: string): boolean {
  return /pass|pw|secret|key|token|cred|auth|url|dsn/i.test(name)
}
