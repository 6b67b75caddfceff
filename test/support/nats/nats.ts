import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'
import { untilStopped } from '../processes/processes.ts'
import { assertNoSecretsIn } from '../test-context/canaries.ts'
import type { Teardown } from '../test-context/teardown.ts'

export type NatsServer = {
  url: string
  /** Starts it again on the same port, after `stop` or `kill`. */
  start(): Promise<void>
  /** Requests it to end and waits for that. */
  stop(): Promise<void>
  /** Kills it like a crash. */
  kill(): Promise<void>
  /** Freezes it: connections stay open and nothing is answered. */
  freeze(): Promise<void>
  thaw(): void
  /** Removes the store; a running server loses its files. */
  wipe(): Promise<void>
  /** Messages that the server has received from all clients. */
  messagesIn(): Promise<number>
  /** Ends it and removes its folder. */
  dispose(): Promise<void>
}

/** A real nats-server with JetStream on a free port, with a separate store, for one test. */
export async function testNats(t: Teardown, options: NatsOptions = {}): Promise<NatsServer> {
  const server = await startNats(options)
  t.teardown(server.dispose)
  return server
}

/** `config` is a file that the server reads. */
export type NatsOptions = { jetStream?: boolean; user?: string; password?: string; config?: string }

export async function startNats(options: NatsOptions = {}): Promise<NatsServer> {
  const { jetStream = true, user = '', password = '', config } = options
  const program = await findNatsServer(loadConfig())
  const folder = await mkdtemp(join(tmpdir(), 'nats-'))
  const store = join(folder, 'store')
  const extra = [
    ...(jetStream ? ['-js', '-sd', store] : []),
    ...(user ? ['--user', user, '--pass', password] : []),
    ...(config === undefined ? [] : ['--config', config]),
  ]
  let monitoring = ''
  let port = -1
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const ports = await mkdtemp(join(folder, 'ports-'))
    const listening = ['-a', '127.0.0.1', '-p', String(port), '-m', '-1', '--ports_file_dir', ports]
    child = spawn(program, [...listening, ...extra], { stdio: 'ignore' })
    running.add(child)
    ;({ port, monitoring } = await readPorts(ports))
    await untilAnswering(port)
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    ending.kill('SIGCONT')
    ending.kill(signal)
    await once(ending, 'exit')
    running.delete(ending)
  }

  await start()
  return {
    url: `nats://${user ? `${user}:${encodeURIComponent(password)}@` : ''}127.0.0.1:${port}`,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async freeze() {
      child?.kill('SIGSTOP')
      await untilStopped(child?.pid ? [child.pid] : [])
    },
    thaw: () => child?.kill('SIGCONT'),
    wipe: () => rm(store, { recursive: true, force: true }),
    async messagesIn() {
      const response = await fetch(`${monitoring}/varz`)
      return Number(Reflect.get(Object(await response.json()), 'in_msgs'))
    },
    async dispose() {
      await end('SIGKILL')
      await assertNoSecretsIn(folder).finally(() => rm(folder, { recursive: true, force: true }))
    },
  }
}

/** A test process that ends early leaves no server behind. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The server chooses its ports itself and writes them into a file: no other process can use them in between. */
async function readPorts(folder: string): Promise<{ port: number; monitoring: string }> {
  for (;;) {
    const [name] = await readdir(folder)
    const text = name ? await readFile(join(folder, name), 'utf8') : ''
    const port = /"(?:nats|tls):\/\/[^"]*:(\d+)"/.exec(text)?.[1]
    const monitoring = /"(http:[^"]*)"/.exec(text)?.[1]
    if (port && monitoring) return { port: Number(port), monitoring }
    await delay(10)
  }
}

async function untilAnswering(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const answered = await once(socket, 'data').catch(() => null)
    socket.destroy()
    if (answered) return
    await delay(10)
  }
}
