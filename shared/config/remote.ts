import { readFileSync } from 'node:fs'
import { withFileName } from '#shared/files/with-file-name.ts'
import { remoteVariables } from './sources/env-name.ts'
import type { Env } from './sources/from-env.ts'

/** The address and the token of the commands that call a listd over HTTP. */
export type RemoteSettings = { url: string; token: string }

/** @throws Error with a sentence that names the variable that is missing or wrong */
export function readRemote(env: Env = process.env): RemoteSettings {
  const { url: variable } = remoteVariables
  const url = env[variable]
  if (!url) throw new Error(`${variable} is not set; it is the address of a listd, such as https://lists.example.com.`)
  return { url: checkUrl(url, variable), token: readToken(env) }
}

/** The address of a listd as it was given. @throws Error with a sentence that names its source, when it is not one */
export function checkUrl(text: string, givenBy: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname) return text
  // Not shown: there may be a password in it.
  throw new Error(`${givenBy} must be an address such as https://lists.example.com, without a user, query or fragment.`)
}

function readToken(env: Env): string {
  const { token: variable, tokenFile: fileVariable } = remoteVariables
  const path = env[fileVariable]
  if (path && env[variable]) throw new Error(`${fileVariable} must not be set together with ${variable}.`)
  const token = (path ? readTokenFile(path) : (env[variable] ?? '')).trim()
  // Not shown either; fetch rejects a header with other characters.
  if (/^[\x21-\x7e]+$/.test(token)) return token
  const why = token === '' ? 'is not set' : 'is not a token'
  throw new Error(`${path ? fileVariable : variable} ${why}; "listd token create" creates an API token.`)
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw withFileName(error, path)
  }
}
