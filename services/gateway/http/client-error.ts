import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, validationFailed } from '#shared/errors.ts'
import { errorResponse } from './error-response.ts'
import { responseHead } from './respond.ts'

/**
 * Answers what Node refuses before there is a request (bad HTTP, headers too large or too late) in the API's own form
 * and closes the connection. To be called after hapi has taken the listener: hapi's own answer is replaced.
 */
export function handleClientErrors(listener: Server, newId: () => string): void {
  const answers = new WeakMap<Duplex, ServerResponse>()

  function handle(error: NodeJS.ErrnoException, socket: Duplex): void {
    const current = answers.get(socket)
    if (current && !current.writableEnded && current.req.complete) {
      // What came behind a whole request is broken: that request is still answered, and is the last.
      current.shouldKeepAlive = false
    } else if (error.code !== 'ECONNRESET' && socket.writable) {
      sendLast(socket, rawResponse(errorFor(error.code), newId()))
    } else {
      socket.destroy()
    }
  }

  listener.removeAllListeners('clientError')
  listener.on('clientError', handle)
  for (const event of ['request', 'checkContinue'] as const) {
    listener.prependListener(event, (req, res) => answers.set(req.socket, res))
  }
  listener.on('connect', (_req, socket) => {
    sendLast(socket, rawResponse(new AppError('METHOD_NOT_ALLOWED'), newId()))
  })
  // Only `100-continue` means anything; another expectation may be ignored (RFC 9110, 10.1.1).
  listener.on('checkExpectation', (req, res) => listener.emit('request', req, res))
}

/** Long enough for a client to read the answer; closed at once, what it has sent and nobody reads would reset it. */
const lingerMs = 1_000

/** The client may never close its end: the connection must not live on for it. */
function sendLast(socket: Duplex, text: string): void {
  socket.end(text)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

function errorFor(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('REQUEST_TIMEOUT')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new AppError('PAYLOAD_TOO_LARGE')
  if (code === 'HPE_HEADER_OVERFLOW')
    return validationFailed([{ path: 'headers', message: 'The headers are too large.' }])
  return validationFailed([{ path: '', message: 'The request is not well-formed HTTP.' }])
}

function rawResponse(error: AppError, id: string): string {
  const { status, json = '' } = errorResponse(error, id)
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close']
  const head = responseHead(id, Buffer.byteLength(json))
  for (let i = 0; i < head.length; i += 2) lines.push(`${head[i]}: ${head[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${json}`
}
