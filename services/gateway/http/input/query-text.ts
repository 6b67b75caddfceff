import querystring from 'node:querystring'
import { errorPath, type FieldError } from '#shared/errors.ts'

/** hapi's parser drops all parameters beyond this number. */
const maxParameters = 1_000

/** The errors of a query's source text that its parsed form no longer shows. @param url the target of the request */
export function queryTextErrors(url: string): FieldError[] {
  const start = url.indexOf('?')
  if (start === -1) return []
  const parameters = url.slice(start + 1).split('&')
  if (parameters.length > maxParameters) {
    return [{ path: 'query', message: `must have at most ${maxParameters} parameters` }]
  }
  return parameters.filter((parameter) => !isUtf8(parameter)).map(notUtf8)
}

/** Other encodings would be read as U+FFFD, which is never the intended text. */
function isUtf8(parameter: string): boolean {
  const encoded = parameter.match(/(?:%[0-9a-f]{2})+/gi) ?? []
  try {
    encoded.forEach(decodeURIComponent)
    return true
  } catch {
    return false
  }
}

function notUtf8(parameter: string): FieldError {
  const [name = ''] = parameter.split('=', 1)
  return { path: errorPath('', querystring.unescape(name)), message: 'must be percent-encoded UTF-8' }
}
