import { counted } from '#shared/domain/text/counted.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { onlyChunked } from './head.ts'

/** What Node's HTTP parser reports: the last received bytes, and how many of them it has read. */
export type ParserError = Error & { code?: string; reason?: string; rawPacket?: Buffer; bytesParsed?: number }

/** The error for a client whose request Node cannot parse. @param headBytes the longest allowed head */
export function parserError(error: ParserError, headBytes: number): AppError {
  const { code = '', reason = '' } = error
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('PAYLOAD_TOO_LARGE')
    case 'HPE_HEADER_OVERFLOW':
      return tooLong(error, headBytes)
    case 'HPE_INVALID_METHOD':
      return hasRequestLine(error) ? unknownMethod() : malformed(error)
    case 'HPE_PAUSED_H2_UPGRADE':
      return new AppError('HTTP_VERSION_NOT_SUPPORTED')
    case 'HPE_INVALID_VERSION':
      return reason === 'Invalid HTTP version' ? new AppError('HTTP_VERSION_NOT_SUPPORTED') : malformed(error)
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return reason.startsWith("Transfer-Encoding can't") ? malformed(error) : onlyChunked()
    default:
      return malformed(error)
  }
}

function malformed({ code = '', reason }: ParserError): AppError {
  const path = places.get(code) ?? ''
  const why = reason ? `: ${reason}` : ''
  return validationFailed([{ path, message: `The request is not well-formed HTTP${why}.` }])
}

/** The malformed part of a request, as errors name it. */
const places: ReadonlyMap<string, string> = new Map([
  ['HPE_INVALID_METHOD', 'method'],
  ['HPE_INVALID_URL', 'path'],
  ['HPE_INVALID_CONTENT_LENGTH', 'content-length'],
  ['HPE_UNEXPECTED_CONTENT_LENGTH', 'content-length'],
  ['HPE_INVALID_TRANSFER_ENCODING', 'transfer-encoding'],
  ['HPE_INVALID_HEADER_TOKEN', 'headers'],
  ['HPE_INVALID_CHUNK_SIZE', 'body'],
])

function unknownMethod(): AppError {
  return new AppError('NOT_IMPLEMENTED', {
    message: 'The method of the request is unknown; methods are in upper case.',
  })
}

const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/

function hasRequestLine(error: ParserError): boolean {
  return requestLine.test(requestText(error))
}

/** The parser does not report which part of a head is too long. */
function tooLong(error: ParserError, headBytes: number): AppError {
  const max = counted(headBytes, 'byte')
  return isAddress(requestText(error), headBytes)
    ? new AppError('ADDRESS_TOO_LONG', {
        message: `The address is too long: address and headers together may have at most ${max}.`,
      })
    : new AppError('HEADERS_TOO_LARGE', {
        message: `The headers are too large: address and headers together may have at most ${max}.`,
      })
}

/**
 * Whether the address takes more than half of the limit of a head that is too long. If the head began in earlier bytes, only a part from
 * its middle is available. Then it counts as an address if it has no white space, or ends a request line: few headers do.
 */
function isAddress(head: string, headBytes: number): boolean {
  const [line = ''] = head.split('\r\n', 1)
  if (/^[A-Z-]+ /.test(line)) return line.length > headBytes / 2
  return / HTTP\/1\.\d$/.test(line) || !/\s/.test(head)
}

/** The last received bytes of the request being parsed, at most as many as can show its request line. */
function requestText({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (!rawPacket) return ''
  const end = rawPacket.lastIndexOf('\r\n\r\n', bytesParsed)
  const start = end === -1 || end + 4 > bytesParsed ? 0 : end + 4
  return rawPacket.toString('latin1', start, start + 64 * 1024)
}
