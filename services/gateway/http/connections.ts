import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Keeps the number of a listener's connections within a bound. One more closes the one that has been silent longest, so
 * that whoever only opens connections locks nobody out: who means it sends a request before thousands of others came.
 * While none is silent, the new one is closed.
 */
export function limitConnections(listener: Server, most: number): void {
  const open = new Set<Duplex>()
  /** Those of which no request is under way, in the order in which they fell silent. */
  const silent = new Set<Duplex>()

  function forget(socket: Duplex): void {
    open.delete(socket)
    silent.delete(socket)
  }

  listener.on('connection', (socket) => {
    open.add(socket)
    silent.add(socket)
    socket.once('close', () => forget(socket))
    if (open.size <= most) return
    const [longest = socket] = silent
    forget(longest)
    longest.destroy()
  })
  for (const event of ['request', 'checkContinue'] as const) {
    listener.prependListener(event, ({ socket }, response: ServerResponse) => {
      silent.delete(socket)
      response.once('close', () => open.has(socket) && silent.add(socket))
    })
  }
}
