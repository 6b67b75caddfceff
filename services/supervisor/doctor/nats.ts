import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'
import { findNatsServer } from '../find-program.ts'
import { readBanner } from '../nats/port.ts'
import { type Check, type CheckResult, type DoctorContext, ok, wrong } from './check.ts'

/** The oldest version that listd is tested with. */
const oldest = { major: 2, minor: 9 }
const defaultPort = 4222
const timeoutMs = 5_000

/** The nats-server program that `listd start` would run, or the server that is configured. */
export const natsServer: Check = {
  name: 'nats-server',
  async run({ config }: DoctorContext): Promise<CheckResult> {
    return config.nats.url === '' ? checkProgram(config) : checkServer(new URL(config.nats.url))
  },
}

async function checkProgram(config: DoctorContext['config']): Promise<CheckResult> {
  const program = await findNatsServer(config)
  const options = { timeout: timeoutMs, env: foreignEnvironment() }
  const { stdout } = await promisify(execFile)(program, ['--version'], options)
  return checkVersion(/v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? '', program)
}

/** Messages contain the address, never the credentials in front of it. */
async function checkServer({ hostname, port }: URL): Promise<CheckResult> {
  const address = `${hostname}:${port || defaultPort}`
  const banner = await readBanner(Number(port || defaultPort), hostname.replace(/^\[|\]$/g, ''))
  return checkBanner(banner, address)
}

/** @param banner the server's first line; null or empty when there was none */
export function checkBanner(banner: string | null, address: string): CheckResult {
  if (!banner?.startsWith('INFO ')) {
    return wrong(`no NATS server answers at ${address}`, 'start it, or set LISTD_NATS_URL to another')
  }
  const info: { version?: unknown; jetstream?: unknown } = JSON.parse(banner.slice('INFO '.length))
  if (info.jetstream !== true) {
    return wrong(
      `the NATS server at ${address} has no JetStream`,
      'start it with -js, or enable jetstream in its configuration',
    )
  }
  return checkVersion(String(info.version), `at ${address}`)
}

export function checkVersion(version: string, where: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return ok(`${version}, ${where}`)
  const found = version === '' ? 'reports no version' : `is at ${version}`
  return wrong(`nats-server (${where}) ${found}; ${oldest.major}.${oldest.minor} is needed`, 'install a newer one')
}
