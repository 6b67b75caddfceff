import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Teardown } from '../test-context/teardown.ts'

/** A port of 127.0.0.1 that another program uses; it sends a greeting and hangs up, or accepts connections silently. */
export async function takenPort(t: Teardown, greeting?: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (greeting !== undefined) socket.end(greeting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}
