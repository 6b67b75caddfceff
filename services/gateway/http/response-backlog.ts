import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Keeps what clients have not yet taken of their answers within bounds, however much they ask and however little they read. */
export type ResponseBacklog = {
  /**
   * Requests of one connection are worked on one after the other, the next when the answer before it has been taken. Node
   * hands over all that a client has sent at once, hundreds of them. Past the bound of those that wait, the connection is
   * closed.
   * @returns when it is this one's turn; undefined: now
   */
  whenFirst(res: ServerResponse): Promise<void> | undefined
  /** Counts an answer that goes out. Past the bound of them all, the one that waits longest is cut off. */
  reserve(res: ServerResponse, bytes: number): void
}

/** Smaller ones are bounded by the number of connections. */
const smallBytes = 16 * 1024

export function createResponseBacklog(
  listener: Server,
  limits: { pipelined: number; unreadBytes: number },
): ResponseBacklog {
  const lines = new WeakMap<Socket, Line>()
  const waits = new WeakMap<ServerResponse, Promise<void>>()
  const unread = new Map<ServerResponse, number>()
  let held = 0

  // Here they come in the order in which they were sent; hapi may overtake.
  function arrive({ socket }: IncomingMessage, res: ServerResponse): void {
    const line = lines.get(socket)
    if (!line || isTaken(line.last)) lines.set(socket, { last: res, tail: null, waiting: 0 })
    else waits.set(res, wait(line, { socket, res, most: limits.pipelined }))
  }
  for (const event of ['request', 'checkContinue'] as const) listener.prependListener(event, arrive)

  function forget(res: ServerResponse): void {
    held -= unread.get(res) ?? 0
    unread.delete(res)
  }

  return {
    whenFirst: (res) => waits.get(res),
    reserve(res, bytes) {
      // Of one whose client has gone no end would be heard.
      if (bytes <= smallBytes || isTaken(res)) return
      unread.set(res, bytes)
      held += bytes
      res.once('close', () => forget(res))
      for (const [longest] of unread) {
        if (held <= limits.unreadBytes) return
        forget(longest)
        longest.destroy()
      }
    },
  }
}

/** The requests of a connection: the last that came, and when its answer is taken, should another one have to know. */
type Line = { last: ServerResponse; tail: Promise<void> | null; waiting: number }

async function wait(
  line: Line,
  { socket, res, most }: { socket: Socket; res: ServerResponse; most: number },
): Promise<void> {
  const before = line.tail ?? taken(line.last, socket)
  line.last = res
  line.tail = before.then(() => taken(res, socket))
  line.waiting++
  if (line.waiting > most) socket.destroy()
  await before
  line.waiting--
}

/** Whether all of an answer has gone to the client, or there is none any more. */
function isTaken(res: ServerResponse): boolean {
  return res.writableFinished || res.destroyed
}

/** An answer that waits for its connection does not hear that this has closed. */
function taken(res: ServerResponse, socket: Socket): Promise<void> {
  if (isTaken(res) || socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    function done(): void {
      res.off('close', done)
      socket.off('close', done)
      resolve()
    }
    res.on('close', done)
    socket.on('close', done)
  })
}
