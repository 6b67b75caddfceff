import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'

/** The version of the server, which it sends to every client. @throws Error when no server answers there */
export async function natsVersion(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port || 4222), hostname)
  const [greeting] = await once(socket, 'data')
  socket.destroy()
  return `NATS ${/"version":"([^"]*)"/.exec(String(greeting))?.[1]}`
}

/** The version of the nats-server that listd starts on its own. @throws Error with a sentence when there is none */
export async function ownNatsVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(await findNatsServer(loadConfig()), ['--version'])
  return `NATS ${/v([\d.]+)/.exec(stdout)?.[1]}`
}
