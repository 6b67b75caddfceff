import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isEmail, isInternationalEmail } from './emails.ts'
import { isIpv4, isIpv6 } from './ip-addresses.ts'
import { isDate, isDateTime, isTime } from './times.ts'
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from './uris.ts'

/** Validates a string. */
export type Format = (text: string) => boolean

/**
 * The formats that need no table of characters: those of draft-07 but for host names, and `uuid` and `duration`. Every check takes
 * time linear in the text. Of ajv-formats are those that pass the public suite.
 */
export const lightFormats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['email', isEmail],
  ['idn-email', isInternationalEmail],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['uri-template', isUriTemplate],
  ['iri', isIri],
  ['iri-reference', isIriReference],
  ['relative-json-pointer', (text) => relativePointer.test(text)],
  ['regex', isPattern],
  ...['duration', 'json-pointer', 'uuid'].map((name) => [name, formatOfAjv(name)] as const),
])

/** With a move of an index, as drafts since 2019 have it. */
const relativePointer = /^(?:0|[1-9]\d*)(?:[+-](?:0|[1-9]\d*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/

/** A pattern of ECMA-262 is one of its flag `u`: without it nearly every text is one. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

function formatOfAjv(name: string): Format {
  const format = fullFormats[name as keyof typeof fullFormats]
  if (!(format instanceof RegExp)) throw new TypeError(`ajv-formats has no pattern of ${name}`)
  return (text) => format.test(text)
}
