/** An API call, as it would be sent from outside the dashboard. It contains no secret: programs read it from the environment. */
export type ApiCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, such as `/lists/recipes/items?limit=5`. */
  path: string
  headers?: Readonly<Record<string, string>> | undefined
  /** JSON text. */
  body?: string | undefined
  /** The same call with listd-client: on `listd`, for example `listd.lists.get('recipes')`, or in user mode on `account`. */
  sdk: string
  /** Whether the call needs the session of a user instead of an API token. */
  userMode?: boolean | undefined
}

export const languages = ['curl', 'fetch', 'SDK'] as const
export type Language = (typeof languages)[number]

/** A longer body is read from a file, so that the command does not fill the terminal. */
const longBody = 4_000
const bodyFile = 'body.json'

/** The call as a program. @param origin of listd, such as `https://lists.example.com` */
export function callText(call: ApiCall, language: Language, origin: string): string {
  if (language === 'curl') return curlText(call, origin)
  return language === 'fetch' ? fetchText(call, origin) : sdkText(call, origin)
}

function curlText({ method, path, headers = {}, body, userMode }: ApiCall, origin: string): string {
  const credentials = userMode ? '"authorization: Bearer $LISTD_SESSION"' : '"x-api-token: $LISTD_TOKEN"'
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${inShell(origin + path)}`,
    `-H ${credentials}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
  ]
  if (body !== undefined) {
    parts.push("-H 'content-type: application/json'")
    parts.push(`--data-binary ${body.length > longBody ? `@${bodyFile}` : inShell(body)}`)
  }
  return parts.join(' \\\n  ')
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's text
const sessionHeader = 'authorization: `Bearer ${process.env.LISTD_SESSION}`'

function fetchText({ method, path, headers = {}, body, userMode }: ApiCall, origin: string): string {
  const isLong = body !== undefined && body.length > longBody
  const all = [
    userMode ? sessionHeader : "'x-api-token': process.env.LISTD_TOKEN",
    ...Object.entries(headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    `headers: { ${all.join(', ')} }`,
    ...(body === undefined ? [] : [isLong ? 'body' : `body: ${quoted(body)}`]),
  ]
  const before = isLong ? `const body = await readFile(${quoted(bodyFile)}, 'utf8')\n` : ''
  return `${before}const response = await fetch(${quoted(origin + path)}, {\n${lines.map((line) => `  ${line},\n`).join('')}})\nconst answer = await response.json()`
}

function sdkText({ sdk, userMode }: ApiCall, origin: string): string {
  const secret = userMode ? 'session: process.env.LISTD_SESSION' : 'token: process.env.LISTD_TOKEN'
  const created = `createClient({ url: ${quoted(origin)}, ${secret} })`
  const lines = userMode
    ? ["import { createClient } from 'listd-client'", "import { manage } from 'listd-client/manage'", '']
    : ["import { createClient } from 'listd-client'", '']
  lines.push(userMode ? `const account = manage(${created})` : `const listd = ${created}`)
  return [...lines, `const answer = await ${sdk}`].join('\n')
}

/** A text as one shell word. */
export function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A text as a JavaScript string literal. */
export function quoted(text: string): string {
  const double = JSON.stringify(text)
  return text.includes("'") ? double : `'${double.slice(1, -1).replaceAll('\\"', '"')}'`
}
