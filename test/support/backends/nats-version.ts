import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'

/** The version of the server, which it tells whoever connects. @throws Error when none answers there */
export async function natsVersion(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port || 4222), hostname)
  const [greeting] = await once(socket, 'data')
  socket.destroy()
  return `NATS ${/"version":"([^"]*)"/.exec(String(greeting))?.[1]}`
}

/** The version of the nats-server on PATH, which listd starts by itself; null when there is none. */
export async function ownNatsVersion(): Promise<string | null> {
  const said = await promisify(execFile)('nats-server', ['--version']).catch(() => null)
  const version = /v([\d.]+)/.exec(said?.stdout ?? '')?.[1]
  return version ? `NATS ${version}` : null
}
