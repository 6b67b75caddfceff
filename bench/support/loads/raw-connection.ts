import { once } from 'node:events'
import { connect } from 'node:net'

/** An HTTP/1.1 connection for one request at a time. */
export type RawConnection = {
  /** Sends a complete request (ASCII text) and reads the whole answer. @returns its status */
  send(request: string): Promise<number>
  /** The same. @returns also the tag of the item, in quotes; empty if the answer has no tag */
  ask(request: string): Promise<{ status: number; etag: string }>
  close(): void
}

/**
 * Opens a connection that does very little per request: a complete client would be busier than the server that it measures,
 * and the yardstick would look slow.
 */
export async function openRawConnection(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let read = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<string> | null = null

  socket.on('data', (chunk) => {
    read = read.length === 0 ? chunk : Buffer.concat([read, chunk])
    const head = headOfComplete(read)
    if (head === null) return
    read = Buffer.alloc(0)
    waiting?.resolve(head)
  })
  const fail = () => waiting?.reject(new Error('the server closed the connection'))
  socket.on('error', fail).on('close', fail)

  const headOf = (request: string) => {
    waiting = Promise.withResolvers<string>()
    socket.write(request, 'latin1')
    return waiting.promise
  }

  return {
    send: async (request) => statusOf(await headOf(request)),
    async ask(request) {
      const head = await headOf(request)
      return { status: statusOf(head), etag: /\r\netag: (\S+)/i.exec(head)?.[1] ?? '' }
    },
    close: () => void socket.destroy(),
  }
}

/** The text of a request with these headers; the body must be ASCII, and without a method it is a POST if there is one, otherwise a GET. */
export function requestText(request: {
  path: string
  headers: Record<string, string>
  body?: string
  method?: string
}): string {
  const { path, headers, body, method = body === undefined ? 'GET' : 'POST' } = request
  const about = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
  const lines = Object.entries({ host: 'localhost', ...about, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n')
}

const statusOf = (head: string) => Number(head.slice(9, 12))

/** The head of an answer, or null while the answer is incomplete. */
function headOfComplete(bytes: Buffer): string | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return bytes.length < headEnd + 4 + Number(length) ? null : head
}
