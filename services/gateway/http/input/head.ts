import type { IncomingMessage } from 'node:http'
import { AppError, validationFailed } from '#shared/errors.ts'
import { listElements } from '../../request/list-header.ts'

/** The head of a request. */
type Head = Pick<IncomingMessage, 'httpVersion' | 'httpVersionMajor' | 'headers'>

/**
 * Rejects, by the head alone, requests that no route accepts.
 * @throws HTTP_VERSION_NOT_SUPPORTED, VALIDATION_FAILED, NOT_IMPLEMENTED, EXPECTATION_FAILED
 */
export function assertHead(head: Head): void {
  if (head.httpVersionMajor > 1) throw new AppError('HTTP_VERSION_NOT_SUPPORTED')
  assertHost(head)
  assertChunked(head)
  assertExpectation(head)
}

/** Whether the client waits for `100 Continue` before it sends the body. */
export function awaitsContinue({ httpVersion, headers }: Pick<Head, 'httpVersion' | 'headers'>): boolean {
  const { expect, 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  if (expect === undefined || httpVersion !== '1.1') return false
  return (encoding !== undefined || Number(length) > 0) && expectations(expect).includes('100-continue')
}

/** A host, perhaps an address in brackets, and perhaps a port. */
const hostAndPort = /^(?:\[[^\]\s/?#@]*\]|[^\s/?#@\\:[\]]*)(?::\d*)?$/

/** HTTP/1.1 demands exactly one, and a valid one (RFC 9112, section 3.2). */
function assertHost({ httpVersion, headers: { host } }: Head): void {
  if (host === undefined ? httpVersion === '1.1' : host.includes(',')) {
    throw validationFailed([{ path: 'host', message: 'Exactly one host header is required.' }])
  }
  if (host !== undefined && !hostAndPort.test(host)) {
    throw validationFailed([{ path: 'host', message: 'must be a host, with or without a port' }])
  }
}

/** A body in another encoding cannot be read, and in HTTP/1.0 its end is unknown (RFC 9112, section 6.1). */
function assertChunked({ httpVersion, headers: { 'transfer-encoding': encoding } }: Head): void {
  if (encoding === undefined) return
  if (httpVersion === '1.0') {
    throw validationFailed([{ path: 'transfer-encoding', message: 'is not a header of HTTP/1.0' }])
  }
  const codings = listElements(encoding)
  if (codings.length !== 1 || codings[0]?.toLowerCase() !== 'chunked') throw onlyChunked()
}

export function onlyChunked(): AppError {
  return new AppError('NOT_IMPLEMENTED', { message: 'Only the transfer-encoding chunked is supported.' })
}

/** The header has no meaning in HTTP/1.0 (RFC 9110, section 10.1.1). */
function assertExpectation({ httpVersion, headers: { expect } }: Head): void {
  if (expect === undefined || httpVersion === '1.0') return
  if (expectations(expect).some((expectation) => expectation !== '100-continue'))
    throw new AppError('EXPECTATION_FAILED')
}

function expectations(header: string): string[] {
  return listElements(header.toLowerCase())
}
