import { fullFormats } from 'ajv-formats/dist/formats.js'

/** Validates a string. */
export type Format = (text: string) => boolean

/**
 * The formats that need no table of characters: those of draft-07 but for host names, and `uuid` and `duration`. Every check takes
 * time linear in the text: those of ajv-formats that do not (`url`) have names that draft-07 does not have.
 */
export const lightFormats: ReadonlyMap<string, Format> = new Map([
  ...[
    'date-time', 'date', 'time', 'duration', 'email', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uri-template',
    'json-pointer', 'relative-json-pointer', 'regex', 'uuid',
  ].map((name) => [name, asciiFormat(name)] as const), // biome-ignore format: a list of words
  ['idn-email', internationalFormat('email')],
  ['iri', internationalFormat('uri')],
  ['iri-reference', internationalFormat('uri-reference')],
])

function asciiFormat(name: string): Format {
  const format = fullFormats[name as keyof typeof fullFormats]
  if (format instanceof RegExp) return (text) => format.test(text)
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format
  if (typeof check !== 'function') throw new TypeError(`ajv-formats does not check ${name}`)
  return check as Format
}

/** Like the ASCII format, with every other character allowed where a letter is. */
function internationalFormat(name: string): Format {
  const check = asciiFormat(name)
  return (text) => check(text.replace(/[^\p{ASCII}]/gu, 'x'))
}
