const longest = 80
const hidden = '[redacted]'

/** How a value stands in a message to the operator: JSON, cut when long; never a secret, never what a group holds. */
export function shown(value: unknown, options: { secret: boolean }): string {
  if (options.secret) return hidden
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return '{…}'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Whether something of this name may hold a secret although no key of that name is known: a misspelled key does. */
export function soundsSecret(name: string): boolean {
  return /pass|pwd|secret|key|token|cred|auth|url|dsn/i.test(name)
}
