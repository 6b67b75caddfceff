import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { poll } from '#shared/time/poll.ts'

/**
 * Ports kept across restarts are below the ephemeral ranges of operating systems. One in 28,000 attempts to connect to an
 * ephemeral port of the same machine connects a client to itself, which then holds the port.
 */
const keptPorts = { first: 20_000, end: 30_000 }
const maxTries = 100

/** A currently free port on loopback. */
export async function pickPort(): Promise<number> {
  for (let n = 0; n < maxTries; n++) {
    const port = randomInt(keptPorts.first, keptPorts.end)
    if (await isFree('127.0.0.1', port)) return port
  }
  throw new Error(`no free port was found between ${keptPorts.first} and ${keptPorts.end}.`)
}

/** Waits until this process can listen there. @returns whether it can */
export async function waitUntilFree(address: { host: string; port: number }, withinMs: number): Promise<boolean> {
  const look = async () => (await isFree(address.host, address.port)) || null
  return (await poll(look, { everyMs: 25, withinMs })) !== null
}

/**
 * Whether this process can listen there.
 * @param host null: every address of this machine
 * @throws Error when the host is not an address of this machine
 */
export async function isFree(host: string | null, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ ...(host !== null && { host }), port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

const bannerTimeoutMs = 1_000
const maxBannerBytes = 65_536

/**
 * The first line that a server sends on its own, as nats-server does.
 * @returns null when nothing listens there, '' when the server sends nothing or the host cannot be reached
 */
export function readBanner(port: number, host = '127.0.0.1'): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    let text = ''
    const finish = (answer: string | null) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(bannerTimeoutMs, () => finish(text))
    socket.on('error', (error) => finish('code' in error && error.code === 'ECONNREFUSED' ? null : text))
    socket.on('close', () => finish(text))
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0 || text.length > maxBannerBytes) finish(text.slice(0, Math.max(end, 0)))
    })
  })
}
