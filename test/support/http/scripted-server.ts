import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Teardown } from '../test-context/teardown.ts'

/** An answer; `cut` closes the connection in the middle of one, `hang` never answers. */
export type ScriptedReply = { status?: number; headers?: Record<string, string>; body?: string } | 'cut' | 'hang'

export type ScriptedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** A server on loopback that sends these responses in turn, and repeats the last one. */
export async function scriptedServer(t: Teardown, ...replies: ScriptedReply[]) {
  const requests: ScriptedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: await text(request) })
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? {}
    if (reply === 'hang') return
    if (reply === 'cut') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"half":')
      setImmediate(() => response.destroy())
      return
    }
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
