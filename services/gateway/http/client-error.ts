import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '#shared/errors.ts'
import { everyMethod } from '../request/methods.ts'
import { type ParserError, parserError } from './input/parser-error.ts'
import { sendLast } from './responses/last-response.ts'

/**
 * Responds in the API's format to input that Node rejects before there is a request (bad HTTP, headers too large or too late) and
 * closes the connection. To be called after hapi has attached to the listener: hapi's own handler is replaced.
 */
export function handleClientErrors(
  listener: Server,
  { newId, headBytes }: { newId(): string; headBytes: number },
): void {
  const responses = new WeakMap<Duplex, ServerResponse>()

  function handle(error: ParserError, socket: Duplex): void {
    const current = responses.get(socket)
    if (current && !current.writableEnded && current.req.complete) {
      // The bytes after a complete request are broken: that request still gets its response, as the last one.
      current.shouldKeepAlive = false
    } else if (error.code !== 'ECONNRESET' && socket.writable) {
      sendLast(socket, parserError(error, headBytes), newId())
    } else {
      socket.destroy()
    }
  }

  listener.removeAllListeners('clientError')
  listener.on('clientError', handle)
  listener.prependListener('request', (req, res) => responses.set(req.socket, res))
  listener.on('connect', (_req, socket) => sendLast(socket, noTunnel(), newId()))
}

function noTunnel(): AppError {
  const error = new AppError('METHOD_NOT_ALLOWED')
  error.headers = { allow: everyMethod.join(', ') }
  return error
}
