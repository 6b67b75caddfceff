import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import type { ConcurrencyLimiter } from './concurrency-limit.ts'

/** The client went away before its request was complete: nobody is there to be answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Reads a body into memory. What comes past a bound is dropped unread, so the answer can go out at once and the
 * connection stays usable.
 * @param limiter takes account of the bytes; the principal gives back `length` of them when it is done
 * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, ClientGone
 */
export function readBytes(req: IncomingMessage, maxBytes: number, limiter: ConcurrencyLimiter): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(new AppError('PAYLOAD_TOO_LARGE'))
  if (req.destroyed) return Promise.reject(new ClientGone())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0

    function take(chunk: Buffer): void {
      try {
        if (length + chunk.length > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
        limiter.reserveBytes(chunk.length)
        length += chunk.length
        chunks.push(chunk)
      } catch (error) {
        fail(error)
      }
    }

    function fail(error: unknown): void {
      limiter.releaseBytes(length)
      req.off('data', take).off('end', finish).off('close', leave)
      req.resume()
      reject(error)
    }

    function finish(): void {
      req.off('close', leave)
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length))
    }

    const leave = () => fail(new ClientGone())
    req.on('data', take).once('end', finish).once('close', leave)
  })
}
