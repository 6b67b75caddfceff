const censor = '[redacted]'

/** The end of a name whose value is a secret. */
const name =
  '(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|(?:access|encryption|master|private|secret)[-_]?key)'

/** Texts with the form of a secret, and what replaces each. */
const forms: readonly (readonly [form: RegExp, replacement: string])[] = [
  // Tokens of every kind, such as the one in the set-up link, signing secrets of webhooks, and keys: 32 bytes in base64.
  [/listd_[a-z]+_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|(?<![\w+/-])[\w+/-]{43}=(?![\w+/=-])/g, censor],
  // Signed claims (RFC 7519), seeds of NATS, and private keys (RFC 7468).
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bS[ACNOUX][A-Z2-7]{56}\b/g, censor],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs, censor],
  // The user and password of an address; a password that is not encoded may contain @.
  [/:\/\/[^\s/"']+@/g, `://${censor}@`],
  // Headers with credentials, for example in the log of a proxy.
  [/\b(Basic|Bearer)\s+(?!\[redacted\])[\w.~+/=-]{8,}/gi, `$1 ${censor}`],
  [/\b((?:set-)?cookie\\?["']?\s*[:=]\s*\\?["']?)(?!\[redacted\])[^\s"'\\][^\n"'\\]*/gi, `$1${censor}`],
  // Values next to a name: in JSON, in JSON inside a JSON string, and in variables, queries and YAML.
  [new RegExp(`(${name}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'gi'), `$1${censor}`],
  [new RegExp(`(${name}\\\\"\\s*:\\s*\\\\")[^"\\\\]+`, 'gi'), `$1${censor}`],
  [new RegExp(`(${name}\\s*[:=]\\s*["']?)(?!\\[redacted\\])[^\\s"'\\\\&,;]+`, 'gi'), `$1${censor}`],
]

/** Shorter values would match ordinary words. */
const leastLength = 4

/**
 * Removes everything that has the form of a secret, and these values. The text should hold no secrets: this is the last safety net
 * below the rules that keep secrets out of logs and messages.
 * @param values of the secret settings; for an address also the password alone
 */
export function hideSecrets(text: string, values: readonly string[]): string {
  const known = values.flatMap((value) => [value, ...passwordsIn(value)]).filter(({ length }) => length >= leastLength)
  // The longest first: a value may be part of another.
  const longestFirst = known.toSorted((a, b) => b.length - a.length)
  const without = longestFirst.reduce((rest, value) => rest.replaceAll(value, censor), text)
  return forms.reduce((rest, [form, replacement]) => rest.replaceAll(form, replacement), without)
}

function passwordsIn(value: string): string[] {
  const password = URL.parse(value)?.password ?? ''
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
