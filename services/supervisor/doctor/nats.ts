import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inspectNats, type NatsLimits } from '#shared/bus/inspect.ts'
import { foreignEnvironment } from '#shared/config/environment.ts'
import type { Database } from '#shared/data/database.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { natsPrefix } from '#shared/ops/join-installation.ts'
import { natsFilesOf } from '../nats/nats-files.ts'
import { readBanner } from '../nats/port.ts'
import { readIfExists } from '../private-file.ts'
import { findNatsServer } from '../processes/find-program.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'
import { isLoopback } from './database/database-health.ts'
import { onDatabase } from './on-database.ts'

/** The oldest version that listd works with, and the oldest recommended one: 2.9 no longer gets fixes. */
const [oldest, recommended] = [2_009, 2_010]
const defaultPort = 4222
const timeoutMs = 5_000

/** The nats-server program that `listd start` would run, or the configured server, and what it allows services to do. */
export const natsServer: Check = {
  name: 'nats-server',
  async run({ config, running }): Promise<CheckResult[]> {
    const { nats, dataDir } = config
    const server = nats.url === '' ? [await checkProgram(config)] : await checkServer(nats)
    const own = running ? ((await readIfExists(natsFilesOf(dataDir).url)) ?? '').trim() : ''
    const url = nats.url === '' ? own : nats.url
    if (server.some(({ state }) => state === 'wrong') || url === '') return server
    try {
      const prefix = await findPrefix(config)
      const limits = await inspectNats({ ...nats, url, prefix, name: 'doctor' })
      return [...server, ...checkLimits(limits, nats), ...(prefix === null ? [] : reportOthers(limits))]
    } catch (error) {
      const fix = 'correct LISTD_NATS_URL, LISTD_NATS_CREDS_FILE or LISTD_NATS_TLS'
      return [wrong(`NATS cannot be used: ${describeError(error)}`, fix)]
    }
  },
}

/** Null when the installation's id cannot be read; other checks report the reason. */
function findPrefix(config: DoctorContext['config']): Promise<string | null> {
  const read = (db: Database) => natsPrefix(config, db)
  return onDatabase({ config }, read, { none: null, unusable: () => null }).catch(() => null)
}

function reportOthers({ others }: NatsLimits): CheckResult[] {
  if (others.length === 0) return []
  return [
    ok(`also used by ${others.length === 1 ? 'another installation' : 'other installations'}: ${others.join(', ')}`),
  ]
}

/** The longest message is 64 KiB plus its envelope. */
const neededPayload = 128 * 1024
const mib = 1024 * 1024

export function checkLimits(limits: Omit<NatsLimits, 'others'>, { replicas }: { replicas: number }): CheckResult[] {
  const { maxPayload, clustered, freeStorage, neededStorage } = limits
  const found: CheckResult[] = []
  if (maxPayload < neededPayload)
    found.push(wrong(`messages may have at most ${maxPayload} bytes`, 'set max_payload of NATS to 1MB'))
  if (freeStorage === null) {
    found.push(wrong('this user may not use JetStream', 'enable JetStream for the account of the NATS user'))
  } else if (freeStorage < neededStorage * replicas) {
    const message = `JetStream has ${Math.max(0, Math.floor(freeStorage / mib))} MiB left`
    found.push(
      wrong(
        `${message}; listd needs ${(neededStorage * replicas) / mib} MiB`,
        'raise the limit of the account or of the store',
      ),
    )
  }
  if (replicas > 1 && !clustered)
    found.push(wrong(`nats.replicas is ${replicas}, but the server is not in a cluster`, 'set LISTD_NATS_REPLICAS=1'))
  return found
}

async function checkProgram(config: DoctorContext['config']): Promise<CheckResult> {
  const program = await findNatsServer(config)
  const options = { timeout: timeoutMs, env: foreignEnvironment() }
  const { stdout } = await promisify(execFile)(program, ['--version'], options)
  return checkVersion(/v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? '', program)
}

type NatsAccess = Pick<DoctorContext['config']['nats'], 'url' | 'tls'>

async function checkServer(nats: NatsAccess): Promise<CheckResult[]> {
  const { hostname, port } = new URL(nats.url)
  return checkBanner(await readBanner(Number(port || defaultPort), hostname.replace(/^\[|\]$/g, '')), nats)
}

/**
 * Messages contain the address, never its credentials.
 * @param banner the server's first line; null or empty when there was none
 */
export function checkBanner(banner: string | null, nats: NatsAccess): CheckResult[] {
  const { hostname, port } = new URL(nats.url)
  const address = `${hostname}:${port || defaultPort}`
  if (!banner?.startsWith('INFO ')) {
    return [wrong(`no NATS server answers at ${address}`, 'start it, or set LISTD_NATS_URL to another')]
  }
  const info: Banner = JSON.parse(banner.slice('INFO '.length))
  if (info.jetstream !== true) {
    const fix = 'start it with -js, or enable jetstream in its configuration'
    return [wrong(`the NATS server at ${address} has no JetStream`, fix)]
  }
  return [checkVersion(String(info.version), `at ${address}`), ...checkAccess(info, nats)]
}

type Banner = { version?: unknown; jetstream?: unknown; auth_required?: unknown; tls_required?: unknown }

/** Whether others on the network can use NATS or read its traffic: logins with passwords, events with items. */
function checkAccess(info: Banner, { url, tls }: NatsAccess): CheckResult[] {
  const { protocol, hostname } = new URL(url)
  const found: CheckResult[] = []
  if (isLoopback(hostname)) return found
  if (info.auth_required !== true) {
    const fix = 'give it a user for listd, and set LISTD_NATS_URL with the password, or LISTD_NATS_CREDS_FILE'
    found.push(
      note('the NATS server requires no credentials: any client that reaches it can read and send like a service', fix),
    )
  }
  if (!tls && protocol !== 'tls:' && info.tls_required !== true) {
    const fix = 'set LISTD_NATS_TLS=true, unless the network in between is trusted'
    found.push(note('connections to the NATS server are not encrypted', fix))
  }
  return found
}

export function checkVersion(version: string, where: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const line = major * 1_000 + minor
  if (line >= recommended) return ok(`${version}, ${where}`)
  const fix = 'install 2.10 or later'
  if (line >= oldest) return note(`${version}, ${where}: versions before 2.10 no longer get fixes`, fix)
  return wrong(
    `nats-server (${where}) ${version === '' ? 'reports no version' : `is at ${version}`}; 2.9 is needed`,
    fix,
  )
}
