import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bounds the response bytes that clients have not read yet, however much they request and however slowly they read. */
export type ResponseBacklog = {
  /**
   * Requests of one connection are served one after the other, each when the client has read the previous response. Node
   * delivers everything that a client has sent at once, up to hundreds of requests. When too many wait, the connection is closed.
   * @returns resolves when this request is next; undefined: now
   */
  whenFirst(res: ServerResponse): Promise<void> | undefined
  /** Counts the bytes of a response. Past the bound for all, the connection of the oldest unread one is destroyed. */
  reserve(res: ServerResponse, bytes: number): void
  /** Large responses that clients have not read to the end. */
  unread(): number
}

/** Smaller responses are bounded by the number of connections. */
const smallBytes = 16 * 1024

export function createResponseBacklog(
  listener: Server,
  limits: { pipelined: number; unreadBytes: number },
): ResponseBacklog {
  const queues = new WeakMap<Socket, ConnectionQueue>()
  const waits = new WeakMap<ServerResponse, Promise<void>>()
  const unread = new Map<ServerResponse, number>()
  let held = 0

  // Here requests arrive in the order in which they were sent; hapi may reorder them.
  function arrive({ socket }: IncomingMessage, res: ServerResponse): void {
    const queue = queues.get(socket)
    if (!queue || isRead(queue.last)) queues.set(socket, { last: res, tail: null, waiting: 0 })
    else waits.set(res, wait(queue, { socket, res, max: limits.pipelined }))
  }
  listener.prependListener('request', arrive)

  function forget(res: ServerResponse): void {
    held -= unread.get(res) ?? 0
    unread.delete(res)
  }

  return {
    whenFirst: (res) => waits.get(res),
    reserve(res, bytes) {
      // A response emits no more events after its client has disconnected.
      if (bytes <= smallBytes || isRead(res)) return
      unread.set(res, bytes)
      held += bytes
      res.once('close', () => forget(res))
      for (const [oldest] of unread) {
        if (held <= limits.unreadBytes) return
        forget(oldest)
        oldest.destroy()
      }
    },
    unread: () => unread.size,
  }
}

/** The requests of a connection: the last one, and, when another waits for it, a promise for its response being read. */
type ConnectionQueue = { last: ServerResponse; tail: Promise<void> | null; waiting: number }

async function wait(
  queue: ConnectionQueue,
  { socket, res, max }: { socket: Socket; res: ServerResponse; max: number },
): Promise<void> {
  const before = queue.tail ?? whenRead(queue.last, socket)
  queue.last = res
  queue.tail = before.then(() => whenRead(res, socket))
  queue.waiting++
  if (queue.waiting > max) socket.destroy()
  await before
  queue.waiting--
}

/** Whether a response has been sent completely, or never will be. */
function isRead(res: ServerResponse): boolean {
  return res.writableFinished || res.destroyed
}

/** Watches the socket too: a response that waits for its connection gets no event when that closes. */
function whenRead(res: ServerResponse, socket: Socket): Promise<void> {
  if (isRead(res) || socket.destroyed) return Promise.resolve()
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
