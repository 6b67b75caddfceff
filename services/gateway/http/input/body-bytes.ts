import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { counted } from '#shared/domain/text/counted.ts'
import { AppError } from '#shared/errors.ts'
import { succeedsWithin } from '#shared/time/time-limit.ts'
import type { ConcurrencyLimiter } from '../../admission/concurrency-limit.ts'
import { lingerMs } from '../responses/last-response.ts'

/** The client disconnected before its request was complete, so there is no one to respond to. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** A request with a body. `awaitsContinue`: its client waits for `100 Continue` before it sends the body. */
export type Upload = { req: IncomingMessage; res: ServerResponse; awaitsContinue: boolean }

/** A body as received. A long one is joined only at its turn, because that takes memory again, and time. */
export type BodyBytes = { length: number; chunks: readonly Buffer[] }

export function joinBytes({ length, chunks }: BodyBytes): Buffer {
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}

/**
 * Reads a body into memory. Bytes past a limit are discarded, so the response can be sent at once and the connection stays
 * usable.
 * @param limiter counts the bytes; the caller releases `length` of them when it is done
 * @throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE, ClientGone
 */
export function readBytes(upload: Upload, maxBytes: number, limiter: ConcurrencyLimiter): Promise<BodyBytes> {
  const { req } = upload
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return rejectUpload(upload, maxBytes)
  if (req.destroyed) return Promise.reject(new ClientGone())
  if (upload.awaitsContinue) {
    upload.awaitsContinue = false
    upload.res.writeContinue()
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0

    function append(chunk: Buffer): void {
      try {
        if (length + chunk.length > maxBytes) throw tooLarge(maxBytes)
        limiter.reserveBytes(chunk.length)
        length += chunk.length
        chunks.push(chunk)
      } catch (error) {
        fail(error)
      }
    }

    function fail(error: unknown): void {
      limiter.releaseBytes(length)
      req.off('data', append).off('end', finish).off('close', abandon)
      req.resume()
      reject(error)
    }

    function finish(): void {
      req.off('close', abandon)
      resolve({ length, chunks })
    }

    const abandon = () => fail(new ClientGone())
    req.on('data', append).once('end', finish).once('close', abandon)
  })
}

/**
 * If the response is the last of its connection, the body is read and discarded first, for a limited time: closing a connection with unread
 * input resets it, and the client may never read why.
 * @throws PAYLOAD_TOO_LARGE
 */
async function rejectUpload({ req, awaitsContinue }: Upload, maxBytes: number): Promise<never> {
  const { connection = '' } = req.headers
  if (/\bclose\b/i.test(connection) && !awaitsContinue) {
    await succeedsWithin(finished(req.resume()), lingerMs)
  }
  throw tooLarge(maxBytes)
}

function tooLarge(maxBytes: number): AppError {
  const message = `The body is larger than this route accepts: ${counted(maxBytes, 'byte')}.`
  return new AppError('PAYLOAD_TOO_LARGE', { message })
}
