import test from 'ava'
import { type ParserError, parserError } from '#services/gateway/http/input/parser-error.ts'

const long = 'a'.repeat(20_000)
const others = 'GET /before HTTP/1.1\r\nhost: a\r\n\r\n'

/** The parser's error after it has read a whole packet. */
function overflow(packet: string): ParserError {
  const rawPacket = Buffer.from(packet, 'latin1')
  return Object.assign(new Error(), { code: 'HPE_HEADER_OVERFLOW', rawPacket, bytesParsed: rawPacket.length })
}

const overflows: [what: string, packet: string, name: string][] = [
  ['an address', `GET /${long}`, 'ADDRESS_TOO_LONG'],
  ['an address with all of its line', `GET /${long} HTTP/1.1\r\nhost: a\r\n`, 'ADDRESS_TOO_LONG'],
  [
    'an address that is most of a head',
    `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nx: ${'y'.repeat(8_000)}`,
    'ADDRESS_TOO_LONG',
  ],
  ['an address after another request', `${others}GET /${long}`, 'ADDRESS_TOO_LONG'],
  ['the middle of an address', long, 'ADDRESS_TOO_LONG'],
  ['the end of an address', `${long} HTTP/1.1\r\nhost: a`, 'ADDRESS_TOO_LONG'],
  ['a header', `GET / HTTP/1.1\r\nx: ${long}`, 'HEADERS_TOO_LARGE'],
  ['headers after a long address', `GET /${'a'.repeat(7_000)} HTTP/1.1\r\nx: ${long}`, 'HEADERS_TOO_LARGE'],
  ['headers after another request', `${others}GET / HTTP/1.1\r\nx: ${long}`, 'HEADERS_TOO_LARGE'],
  ['the middle of headers', `${long}\r\ny: ${long}`, 'HEADERS_TOO_LARGE'],
  ['the middle of a header with spaces', `a=1; ${long}`, 'HEADERS_TOO_LARGE'],
]
for (const [what, packet, name] of overflows) {
  test(`a head that is too long at ${what} is ${name}`, (t) => {
    const error = parserError(overflow(packet), 16_384)
    t.is(error.name, name as typeof error.name)
    t.regex(error.message, /16,384 bytes/)
  })
}

test('without its bytes, a head that is too long counts as too large headers', (t) => {
  t.is(
    parserError(Object.assign(new Error(), { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from(' ') }), 1).status,
    431,
  )
})

test('an unknown error of the parser is reported as malformed', (t) => {
  t.like(parserError(new Error('canary'), 1), {
    status: 400,
    details: { errors: [{ path: '', message: 'The request is not well-formed HTTP.' }] },
  })
})
