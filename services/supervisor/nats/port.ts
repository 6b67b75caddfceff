import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Ports kept across restarts come from below the systems' ephemeral ranges: a client that tries again and again to reach
 * an ephemeral port of its own machine is, once in 28,000 tries, connected to itself, and then holds the port.
 */
const keptPorts = { first: 20_000, end: 30_000 }
const maxTries = 100

/** A port on loopback that nothing holds now. */
export async function pickPort(): Promise<number> {
  for (let n = 0; n < maxTries; n++) {
    const port = randomInt(keptPorts.first, keptPorts.end)
    if (await isFree('127.0.0.1', port)) return port
  }
  throw new Error(`no free port was found between ${keptPorts.first} and ${keptPorts.end}.`)
}

/** Waits until this process could listen there. @returns whether it can */
export async function waitUntilFree(address: { host: string; port: number }, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs
  while (!(await isFree(address.host, address.port))) {
    if (performance.now() > giveUpAt) return false
    await delay(25)
  }
  return true
}

/**
 * Whether this process could listen there.
 * @param host null: on every address of this machine
 * @throws Error when the host is no address of this machine
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

const greetingTimeoutMs = 1_000
const maxGreetingBytes = 65_536

/**
 * The first line that a server, of this machine if no other is named, sends by itself, as nats-server does.
 * @returns null when nothing listens there, '' when what listens says nothing, or the host cannot be reached
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
    socket.setTimeout(greetingTimeoutMs, () => finish(text))
    socket.on('error', (error) => finish('code' in error && error.code === 'ECONNREFUSED' ? null : text))
    socket.on('close', () => finish(text))
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0 || text.length > maxGreetingBytes) finish(text.slice(0, Math.max(end, 0)))
    })
  })
}
