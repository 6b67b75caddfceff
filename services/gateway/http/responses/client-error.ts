import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, validationFailed } from '#shared/errors.ts'
import { sendLast } from './last-response.ts'

/**
 * Responds in the API's format to what Node rejects before there is a request (bad HTTP, headers too large or too late) and
 * closes the connection. To be called after hapi has taken the listener: hapi's own handler is replaced.
 */
export function handleClientErrors(listener: Server, newId: () => string): void {
  const responses = new WeakMap<Duplex, ServerResponse>()

  function handle(error: NodeJS.ErrnoException, socket: Duplex): void {
    const current = responses.get(socket)
    if (current && !current.writableEnded && current.req.complete) {
      // The bytes after a complete request are broken: that request still gets its response, as the last one.
      current.shouldKeepAlive = false
    } else if (error.code !== 'ECONNRESET' && socket.writable) {
      sendLast(socket, errorFor(error.code), newId())
    } else {
      socket.destroy()
    }
  }

  listener.removeAllListeners('clientError')
  listener.on('clientError', handle)
  for (const event of ['request', 'checkContinue'] as const) {
    listener.prependListener(event, (req, res) => responses.set(req.socket, res))
  }
  listener.on('connect', (_req, socket) => {
    sendLast(socket, new AppError('METHOD_NOT_ALLOWED'), newId())
  })
  // Only `100-continue` has a meaning; other expectations may be ignored (RFC 9110, 10.1.1).
  listener.on('checkExpectation', (req, res) => listener.emit('request', req, res))
}

function errorFor(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('REQUEST_TIMEOUT')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new AppError('PAYLOAD_TOO_LARGE')
  if (code === 'HPE_HEADER_OVERFLOW')
    return validationFailed([{ path: 'headers', message: 'The headers are too large.' }])
  return validationFailed([{ path: '', message: 'The request is not well-formed HTTP.' }])
}
