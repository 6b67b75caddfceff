import { once } from 'node:events'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { assertDescribed } from './answers/described-answers.ts'

export type Call = {
  method?: string
  path: string
  /** An array with alternating names and values can send a name twice. */
  headers?: OutgoingHttpHeaders | string[]
  /** Text and bytes are sent unchanged, everything else as JSON with its content type. */
  body?: unknown
  /** The client whose connections it uses; absent: a separate connection. */
  agent?: Agent
}

export type Reply = {
  status: number
  headers: Record<string, string>
  text: string
  /** The parsed body; undefined when there is none. */
  json: Record<string, unknown> | undefined
}

/** Keeps connections for many calls, which then cost half as much as with separate connections; closed by `destroy`. */
export const manyCalls = (): Agent => new Agent({ keepAlive: true })

/** Sends one request. The API's description must have its answer. */
export async function call(port: number, { method = 'GET', path, headers = {}, body, agent }: Call): Promise<Reply> {
  const bytes =
    typeof body === 'string' || Buffer.isBuffer(body) ? body : body === undefined ? '' : JSON.stringify(body)
  const connection = agent ? 'keep-alive' : 'close'
  const own = [
    'host',
    `127.0.0.1:${port}`,
    'connection',
    connection,
    'content-length',
    String(Buffer.byteLength(bytes)),
  ]
  const type = bytes !== body && bytes !== '' ? ['content-type', 'application/json'] : []
  const given = Array.isArray(headers)
    ? headers
    : Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: [...own, ...type, ...given] as never,
    agent: agent ?? false,
  })
  sent.end(bytes)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const isJson = String(response.headers['content-type']).startsWith('application/json') && text !== ''
  const reply = {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
  assertDescribed({ method, path }, reply)
  return reply
}

/** The part of a response that a client can compare, without the parts that differ in every response. */
export function visiblePart({ status, headers, text, json }: Reply): unknown {
  const { date: _date, 'x-request-id': requestId, ...others } = headers
  return { status, headers: others, text: text.replaceAll(String(requestId ?? json?.requestId), 'ID') }
}

/** Writes bytes unchanged and reads until the server closes; each part is written in a separate turn of the event loop. */
export async function callRaw(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  // A server that rejects a connection may reset it.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  for (const part of parts) {
    socket.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  return answer
}
