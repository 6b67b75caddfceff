import type { Call } from '../http/client.ts'

/** A request that is invalid as a whole, and the name of its error. */
export type BadRequest = { what: string; request: Call; name: string }

const malformed = 'MALFORMED_JSON'
const invalid = 'VALIDATION_FAILED'

/** Bodies that no route accepts, except for those that accept any JSON. */
const texts: Readonly<Record<string, [body: string | Buffer, name: string]>> = {
  'half of it': ['{"a":', malformed],
  'a key twice': ['{"a":1,"\\u0061":1}', malformed],
  'half of a surrogate pair': ['{"a":"\\ud800"}', malformed],
  'no UTF-8': [Buffer.from('{"a":"\xff"}', 'latin1'), malformed],
  'nested too deep': [`{"a":${'['.repeat(201)}${']'.repeat(201)}}`, malformed],
  'nested far too deep': ['['.repeat(16_000), malformed],
  'a list': ['[]', invalid],
  'a text': ['"text"', invalid],
  null: ['null', invalid],
}

/** A request with each of these bodies, with one that is not JSON, and with its credentials sent twice. */
export function badRequests({ headers, ...request }: Call & { headers: Record<string, string> }): BadRequest[] {
  const withBody = (body: string | Buffer, type = 'application/json'): Call => ({
    ...request,
    body,
    headers: { ...headers, 'content-type': type },
  })
  const bodies = Object.entries(texts).map(([what, [body, name]]) => ({
    what: `a body: ${what}`,
    name,
    request: withBody(body),
  }))
  const twice = Object.entries(headers).flatMap(([name, value]) => [name, value, name, value])
  return [
    ...bodies,
    { what: 'a form', name: 'UNSUPPORTED_MEDIA_TYPE', request: withBody('a=b', 'application/x-www-form-urlencoded') },
    { what: 'credentials twice', name: 'USER_NOT_AUTHENTICATED', request: { ...request, headers: twice } },
  ]
}
