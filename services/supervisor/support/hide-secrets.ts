const censor = '[redacted]'

/** Tokens of every kind, such as the one in the set-up link, signing secrets of webhooks, and keys: 32 bytes in base64. */
const forms = /listd_[a-z]+_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|(?<![\w+/-])[\w+/-]{43}=(?![\w+/=-])/g

/** The user and password of an address. */
const credentials = /:\/\/[^\s/@"']+@/g

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
  return without.replaceAll(forms, censor).replaceAll(credentials, `://${censor}@`)
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
