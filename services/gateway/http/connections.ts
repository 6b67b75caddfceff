import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Limits the number of a listener's connections. One more closes the one that has been idle longest, so that a client that
 * only opens connections locks no one out: others send a request before thousands of connections come. When none is idle, the
 * new one is closed.
 */
export function limitConnections(listener: Server, max: number): void {
  const open = new Set<Duplex>()
  /** Connections without a request in flight, in the order in which they became idle. */
  const idle = new Set<Duplex>()

  function forget(socket: Duplex): void {
    open.delete(socket)
    idle.delete(socket)
  }

  listener.on('connection', (socket) => {
    open.add(socket)
    idle.add(socket)
    socket.once('close', () => forget(socket))
    if (open.size <= max) return
    const [oldest = socket] = idle
    forget(oldest)
    oldest.destroy()
  })
  for (const event of ['request', 'checkContinue'] as const) {
    listener.prependListener(event, ({ socket }, response: ServerResponse) => {
      idle.delete(socket)
      response.once('close', () => open.has(socket) && idle.add(socket))
    })
  }
}
