import type { Readable } from 'node:stream'

export type ParsedRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer }

/** The HTTP/1.1 requests on a connection, one after the other; bodies need a content-length. */
export async function* requestsOn(socket: Readable): AsyncGenerator<ParsedRequest> {
  let bytes: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk])
    for (let taken = takeRequest(bytes); taken !== null; taken = takeRequest(bytes)) {
      bytes = taken.rest
      yield taken.request
    }
  }
}

function takeRequest(bytes: Buffer): { request: ParsedRequest; rest: Buffer } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [requestLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers = Object.fromEntries(lines.map(parseHeader))
  const bodyStart = headEnd + 4
  const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0)
  if (bytes.length < bodyEnd) return null
  return { request: { method, path, headers, body: bytes.subarray(bodyStart, bodyEnd) }, rest: bytes.subarray(bodyEnd) }
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
