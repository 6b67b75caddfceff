import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseToken } from '#shared/crypto/token.ts'

/** Every password of a test that the whole suite searches for contains one of these. */
const passwords = ['canary-pass', 'canary-Pass', 'correct horse', 'battery staple']

/** Tokens and secrets of webhooks have a distinctive form. */
const forms: { what: string; marker: string; form: RegExp; isReal(text: string): boolean }[] = [
  {
    what: 'a token',
    marker: 'listd_',
    form: /listd_[a-z]+_[0-9A-Za-z]{49}/g,
    isReal: (text) => parseToken(text) !== null,
  },
  { what: "a webhook's secret", marker: 'whsec_', form: /whsec_[0-9A-Za-z+/]{43}=/g, isReal: () => true },
]

const markers = [...passwords, ...forms.map(({ marker }) => marker)]

/** @throws Error when a text has a password, a token or a secret in clear, of any account; it names the place */
export function assertNoSecrets(place: string, text: string | Buffer): void {
  // Most texts have none of the markers, and are not checked further.
  if (!markers.some((marker) => text.includes(marker))) return
  const clear = text.toString('latin1')
  for (const password of passwords)
    if (clear.includes(password)) throw new Error(`${place} has a password: ${around(clear, password)}`)
  for (const { what, form, isReal } of forms) {
    const found = clear.match(form)?.find(isReal)
    if (found) throw new Error(`${place} has ${what}: ${around(clear, found)}`)
  }
}

function around(text: string, found: string): string {
  const at = text.indexOf(found)
  return JSON.stringify(text.slice(Math.max(0, at - 100), at + found.length))
}

/** The same for the logs of processes. The banner of the first start is excepted, because its purpose is to show the set-up link. */
export function assertNoSecretsLogged(place: string, lines: readonly string[]): void {
  const log = lines.filter((line) => !line.startsWith('  set up '))
  assertNoSecrets(place, log.join('\n'))
}

/** The same for a SQLite database and a store of NATS anywhere in a folder; other files may have been written by the test. */
export async function assertNoSecretsIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !stored.test(path.slice(folder.length))) continue
    assertNoSecrets(path, await readFile(path).catch(nothingOfGone))
  }
}

/** Closing a database removes its log. */
function nothingOfGone(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return ''
}

const stored = /\/listd\.db|\/jetstream\//
