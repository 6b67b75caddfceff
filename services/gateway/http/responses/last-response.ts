import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from '#shared/errors.ts'
import { errorResponse } from './error-response.ts'
import { responseHead } from './respond.ts'

/** Long enough for a client to read the response; closing at once with unread input would reset the connection. */
export const lingerMs = 1_000

/** Sends an error as the last response of a connection. The client may never close its end; then it is destroyed. */
export function sendLast(socket: Duplex, error: AppError, id: string): void {
  socket.end(rawResponse(error, id))
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

function rawResponse(error: AppError, id: string): string {
  const response = errorResponse(error, id)
  const { status, body } = response
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close', `date: ${new Date().toUTCString()}`]
  const head = responseHead(id, response, Buffer.byteLength(body))
  for (let i = 0; i < head.length; i += 2) lines.push(`${head[i]}: ${head[i + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
