import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { unavailable } from '#shared/errors.ts'
import { ClientGone } from './input/body-bytes.ts'
import { type HttpStream, streamHead } from './responses/respond.ts'

/** Responses that are sent while they are generated. They may last for hours, so they do not count as requests in flight. */
export type OpenStreams = {
  /** Counts the stream of a response until its connection closes. @throws SERVICE_UNAVAILABLE when too many are open, ClientGone */
  admit(res: ServerResponse): void
  /** Aborted when the reader of an admitted response disconnects, and when the gateway stops. */
  signal(res: ServerResponse): AbortSignal
  /** Ends all streams, and those that begin from now on. */
  end(): void
  /** Closes the connections of the remaining streams. @returns how many */
  cutOff(): number
  /** Resolves when no stream is open. */
  closed(): Promise<unknown>
}

export function createOpenStreams(limits: { streams: number }): OpenStreams {
  const open = new Map<ServerResponse, AbortController>()
  let ending = false
  return {
    admit(res) {
      if (open.size >= limits.streams) throw unavailable('too many streams are open')
      // A response emits no more events after its client has disconnected.
      if (res.destroyed) throw new ClientGone()
      const stop = new AbortController()
      if (ending) stop.abort()
      open.set(res, stop)
      res.once('close', () => {
        open.delete(res)
        stop.abort()
      })
    },
    signal: (res) => open.get(res)?.signal ?? AbortSignal.abort(),
    end() {
      ending = true
      for (const stop of open.values()) stop.abort()
    },
    cutOff() {
      // Streams without a head are requests that have no response yet.
      const cut = [...open.keys()].filter(({ headersSent }) => headersSent)
      for (const res of cut) res.destroy()
      return cut.length
    },
    closed: () => Promise.all(Array.from(open.keys(), (res) => once(res, 'close'))),
  }
}

/** A stream that was sent: the bytes of its pieces, and the error that ended it. */
export type Sent = { bytes: number; error?: unknown }

/**
 * Sends a stream, each piece after the reader has read the previous ones. It may last for hours, so no suspended function waits for its end.
 * @param options.signal ends the stream when it is aborted
 * @param options.closed called once when the connection has closed
 */
export function sendStream(
  { id, res }: { id: string; res: ServerResponse },
  response: HttpStream,
  { signal, closed }: { signal: AbortSignal; closed(sent: Sent): void },
): void {
  const sent: Sent = { bytes: 0 }
  if (res.destroyed) {
    closed(sent)
    return
  }
  res.once('close', () => closed(sent))
  // The connection ends with the stream, which may have lasted past the beginning of the drain.
  res.shouldKeepAlive = false
  res.writeHead(response.status, streamHead(id, response)).flushHeaders()
  // A source that does not end is abandoned when the connection closes.
  const pieces = res.req.method === 'HEAD' ? [] : response.body(signal)
  sendPieces(res, pieces, sent).catch((error: unknown) => {
    // Waits that take a signal end by failing.
    if (signal.aborted) return res.end()
    sent.error = error
    // Shows the reader that the response is incomplete.
    return res.destroy()
  })
}

async function sendPieces(res: ServerResponse, pieces: Pieces, sent: Sent): Promise<void> {
  for await (const piece of pieces) {
    if (res.destroyed) return
    sent.bytes += Buffer.byteLength(piece)
    if (!res.write(piece)) await whenDrained(res)
  }
  res.end()
}

type Pieces = Iterable<string | Buffer> | AsyncIterable<string | Buffer>

function whenDrained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
  })
}
