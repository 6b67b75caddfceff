import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'
import { findNatsServer } from '../find-program.ts'
import { greetingOf } from '../nats/port.ts'
import { type Check, ok, type Patient, type Verdict, wrong } from './check.ts'

/** The oldest that is tried. */
const oldest = { major: 2, minor: 9 }
const defaultPort = 4222
const patienceMs = 5_000

/** The nats-server program that `listd start` would run, or the server that is configured. */
export const natsServer: Check = {
  name: 'nats-server',
  async look({ config }: Patient): Promise<Verdict> {
    return config.nats.url === '' ? lookAtProgram(config) : lookAtServer(new URL(config.nats.url))
  },
}

async function lookAtProgram(config: Patient['config']): Promise<Verdict> {
  const program = await findNatsServer(config)
  const options = { timeout: patienceMs, env: foreignEnvironment() }
  const { stdout } = await promisify(execFile)(program, ['--version'], options)
  return judgeVersion(/v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? '', program)
}

/** The address is told, never the credentials in front of it. */
async function lookAtServer({ hostname, port }: URL): Promise<Verdict> {
  const address = `${hostname}:${port || defaultPort}`
  const greeting = await greetingOf(Number(port || defaultPort), hostname.replace(/^\[|\]$/g, ''))
  return judgeGreeting(greeting, address)
}

/** @param greeting the server's first line; null or empty when there was none */
export function judgeGreeting(greeting: string | null, address: string): Verdict {
  if (!greeting?.startsWith('INFO ')) {
    return wrong(`no NATS server answers at ${address}`, 'start it, or name another in LISTD_NATS_URL')
  }
  const info: { version?: unknown; jetstream?: unknown } = JSON.parse(greeting.slice('INFO '.length))
  if (info.jetstream !== true) {
    return wrong(
      `the NATS server at ${address} has no JetStream`,
      'start it with -js, or with jetstream in its configuration',
    )
  }
  return judgeVersion(String(info.version), `at ${address}`)
}

export function judgeVersion(version: string, where: string): Verdict {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return ok(`${version}, ${where}`)
  const found = version === '' ? 'tells no version' : `is at ${version}`
  return wrong(`nats-server (${where}) ${found}; ${oldest.major}.${oldest.minor} is needed`, 'install a newer one')
}
