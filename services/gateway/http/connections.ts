import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from '#shared/log/logger.ts'

/**
 * Limits the number of a listener's connections. One more closes the connection that has been idle longest, so that a client that
 * only opens connections cannot lock others out: others send a request before thousands of connections arrive. If none is idle, the
 * new connection is closed. Closed connections are logged, at most once a minute.
 */
export function limitConnections(listener: Server, { max, log }: { max: number; log: Logger }): void {
  const reportClosed = createTally((closed) => log('connections.limited', { closed, max }))
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
    reportClosed()
  })
  listener.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => open.has(socket) && idle.add(socket))
  })
}

const everyMs = 60_000

/** Counts, and reports the count at once and then at most once a minute. */
function createTally(report: (count: number) => void): () => void {
  let count = 0
  let timer: NodeJS.Timeout | undefined
  function flush(): void {
    timer = undefined
    if (count === 0) return
    report(count)
    count = 0
    timer = setTimeout(flush, everyMs).unref()
  }
  return () => {
    count++
    if (timer === undefined) flush()
  }
}
