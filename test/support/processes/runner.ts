import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from '../assertions/until.ts'
import { createOutput, type Output } from '../test-context/output.ts'
import { listdProgram } from './listd-program.ts'

/** Many processes start at once on few cores, and one that dies often waits before it is restarted. */
export const readyMs = 60_000

export type Service = 'gateway' | 'identity' | 'webhook-dispatcher'

export type Runner = {
  output: Output
  start(): Promise<ChildProcess>
  startService(service: Service): Promise<ChildProcess>
}

/** Starts our programs on the data directory and collects what they print. */
export function createRunner(dataDir: string, settings: Record<string, string>): Runner {
  const output = createOutput()
  const own = { LISTD_GATEWAY_PORT: '0', LISTD_PASSWORDS_MEMORY_MIB: '19', ...settings, LISTD_DATA_DIR: dataDir }

  function spawnOurs(args: readonly string[], more: Record<string, string> = {}): ChildProcess {
    const env = { ...process.env, ...own, ...more }
    const child = spawn(listdProgram, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    child.on('exit', () => running.delete(child))
    for (const stream of [child.stdout, child.stderr]) output.collect(stream)
    return child
  }

  async function untilReady(child: ChildProcess, ready: () => boolean): Promise<ChildProcess> {
    const lastWords = () => output.lines.slice(-10).join('\n')
    const what = `readiness of ${child.spawnargs.slice(1).join(' ')}`
    await until(() => ready() || hasEnded(child) || lastWords(), { withinMs: readyMs, what })
    if (hasEnded(child)) throw new Error(`It ended while it started:\n${lastWords()}`)
    return child
  }

  return {
    output,
    start() {
      const before = bannersIn(output)
      return untilReady(spawnOurs(['start']), () => bannersIn(output) > before)
    },
    startService(service) {
      const nats = 'LISTD_NATS_URL' in own ? {} : { LISTD_NATS_URL_FILE: join(dataDir, 'nats-url') }
      const key =
        'LISTD_SECRETS_MASTER_KEY' in own ? {} : { LISTD_SECRETS_MASTER_KEY_FILE: join(dataDir, 'master-key') }
      const child = spawnOurs(['service', service], { ...nats, ...key })
      return untilReady(child, () => isReady(output, { service, pid: child.pid ?? 0 }))
    },
  }
}

/** A test process that ends early leaves no processes behind; services notice on their own that their supervisor has ended. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function bannersIn({ lines }: Output): number {
  return lines.filter((line) => line.startsWith('  try it ')).length
}

/** The gateway logs its address; the banner also has it, when the log is quiet. */
export function addressReader({ lines }: Output): () => string {
  let seen = 0
  let address = ''
  return () => {
    for (; seen < lines.length; seen++) {
      const line = lines[seen] ?? ''
      if (line.includes('"publicUrl":"http') || line.startsWith('  API ')) address = /http[^"\s]+/.exec(line)?.[0] ?? ''
    }
    return address
  }
}

export function isReady({ logged }: Output, { service, pid }: { service: Service; pid: number }): boolean {
  return logged('service.started').some((line) => line.service === service && line.pid === pid)
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

export async function endOf(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) await once(child, 'exit')
  return child.exitCode
}
