const censor = '[redacted]'

/** Tokens of every kind, as in the link of the set-up, signing secrets of webhooks, and keys: 32 bytes in base64. */
const forms = /listd_[a-z]+_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|(?<![\w+/-])[\w+/-]{43}=(?![\w+/=-])/g

/** The user and password of an address. */
const credentials = /:\/\/[^\s/@"']+@/g

/** Shorter ones would be found in ordinary words. */
const leastLength = 4

/**
 * A text without anything that has the form of a secret, and without these values. Nothing secret should stand there: this is the
 * last net below the rules that keep secrets out of logs and messages.
 * @param values of the secret settings; of an address also the password alone
 */
export function hideSecrets(text: string, values: readonly string[]): string {
  const known = values.flatMap((value) => [value, ...passwordsIn(value)]).filter(({ length }) => length >= leastLength)
  // The longest first: one may be a part of another.
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
