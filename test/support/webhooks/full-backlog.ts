import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

/** Listens, prints its port, and from then on blocks its event loop. */
const listener = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

export type FullBacklog = { port: number; close(): Promise<void> }

/** A port where a TCP handshake hangs: the listener accepts nothing and its queue is full, so the kernel ignores us. */
export async function startFullBacklog({ host = '127.0.0.1', port = 0 } = {}): Promise<FullBacklog> {
  const worker = new Worker(listener, { eval: true, workerData: { host, port } })
  const [taken] = (await once(worker, 'message')) as [number]
  const fillers = [0, 1, 2, 3].map(() => connect(taken, host).on('error', () => undefined))
  // Two fit into a queue of one; the others hang like the test's own connection.
  await new Promise<void>((resolve) => {
    let connected = 0
    for (const socket of fillers) socket.on('connect', () => ++connected === 2 && resolve())
  })
  return {
    port: taken,
    async close() {
      for (const socket of fillers) socket.destroy()
      await worker.terminate()
    },
  }
}
