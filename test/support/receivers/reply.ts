import type { Socket } from 'node:net'

type Stop = 'before-head' | 'in-head' | 'in-body' | 'after-body'

/** The reply of a receiver; by default an empty 200. */
export type Reply = {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sent unchanged, instead of head and body. */
  raw?: string
  /** Sent one after the other, each in a separate packet, instead of head and body. */
  pieces?: readonly string[]
  /** Stops there and leaves the connection open. */
  hang?: Stop
  /** Stops there and resets the connection. */
  reset?: Stop
  /** Stops there and closes the connection gracefully. */
  close?: Stop
  /** Sends one more byte at this interval in milliseconds, forever. */
  drip?: { part: 'head' | 'body'; everyMs: number }
  /** Announces a body of this size and sends it as fast as the connection accepts it. */
  floodBytes?: number
  /** Sent repeatedly after the start of the reply, as fast as the connection accepts it, forever. */
  endless?: { start: string; text: string }
}

/** Writes the reply by hand, to allow every violation of HTTP. `raw` is the TCP socket below. */
export function sendReply(reply: Reply, { socket, raw }: { socket: Socket; raw: Socket }): void {
  const { head, body } = partsOf(reply)
  if (reply.drip?.part === 'head') drip(`${head.slice(0, -2)}x-drip: `, reply.drip.everyMs, socket)
  else if (reply.drip?.part === 'body') drip(head, reply.drip.everyMs, socket)
  else if (reply.pieces) void sendPieces(reply.pieces, socket)
  else if (reply.floodBytes !== undefined) flood(socket, { start: head, text: 'x', bytes: reply.floodBytes })
  else if (reply.endless) flood(socket, { ...reply.endless, bytes: Number.POSITIVE_INFINITY })
  else socket.write(reply.raw ?? cut(head, body, reply.hang ?? reply.reset ?? reply.close ?? 'after-body'))
  // The last write must be sent first: a reset discards queued bytes.
  if (reply.reset) setTimeout(() => raw.resetAndDestroy(), 20)
  if (reply.close) socket.end()
}

function partsOf(reply: Reply): { head: string; body: Buffer } {
  const body = Buffer.from(reply.body ?? '')
  const announced = reply.drip ? 1_000_000 : (reply.floodBytes ?? body.length)
  const headers = { 'content-length': String(announced), ...reply.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return { head: `HTTP/1.1 ${reply.status ?? 200} Whatever\r\n${lines.join('')}\r\n`, body }
}

function cut(head: string, body: Buffer, stop: Stop): Buffer {
  if (stop === 'before-head') return Buffer.alloc(0)
  if (stop === 'in-head') return Buffer.from(head.slice(0, -3))
  const sent = stop === 'in-body' ? body.subarray(0, body.length / 2) : body
  return Buffer.concat([Buffer.from(head), sent])
}

async function sendPieces(pieces: readonly string[], socket: Socket): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

function drip(start: string, everyMs: number, socket: Socket): void {
  socket.write(start)
  const timer = setInterval(() => socket.write('x'), everyMs)
  socket.on('close', () => clearInterval(timer))
}

function flood(socket: Socket, { start, text, bytes }: { start: string; text: string; bytes: number }): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  let left = bytes
  const pour = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!socket.write(chunk)) return void socket.once('drain', pour)
    }
  }
  socket.write(start)
  pour()
}
