import { stat } from 'node:fs/promises'
import type { Database } from '#shared/data/database.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { databaseAheadMs } from '#shared/ops/clock.ts'
import { isOnServer } from '../../master-key.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from '../check.ts'
import { notChecked, onDatabase } from '../on-database.ts'

const none = ok('there is no database yet')

/** Whether data can be stored. The trial write is rolled back. */
export const databaseWrites: Check = {
  name: 'database writes',
  run: (context) => onDatabase(context, (db) => tryToWrite(db, context), { none, unusable: notChecked }),
}

class RolledBack extends Error {}

async function tryToWrite(db: Database, { config }: DoctorContext): Promise<CheckResult> {
  if ((await schemaStatus(db)).version === 0) return none
  try {
    await db.transaction(async (tx) => {
      await putSetting(tx, 'trial', '')
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack) return ok('data can be stored')
    const reason = db.storage.failure() ?? describeError(error).replace(/\.$/, '')
    const fix = isOnServer(config)
      ? 'connect to a server that is not a replica, as a user who may write'
      : `let the user that listd runs as write to ${databaseFile({ url: config.database.url, dataDir: config.dataDir })} and its folder`
    return wrong(`data cannot be stored: ${reason}`, fix)
  }
  return none
}

/** Whether the traffic to a database server can be read on the network. */
export const databaseTls: Check = {
  name: 'database TLS',
  async run({ config }): Promise<CheckResult> {
    const { url, tls } = config.database
    if (!isOnServer(config)) return ok('not needed: the database is a file')
    if (tls) return ok('connections are encrypted, and the certificate is checked')
    if (isLoopback(new URL(url).hostname)) return ok('not needed: the server is on this machine')
    return note(
      'connections to the database server are not encrypted',
      'set LISTD_DATABASE_TLS=true, unless the network in between is trusted',
    )
  },
}

/** Whether a host, as in a URL or a setting, is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\./.test(host)
}

/** Leases, due times and sessions use the database's clock; requests between services use the clocks of their machines. */
export const clock: Check = {
  name: 'clock',
  async run(context): Promise<CheckResult> {
    const { config } = context
    const file = databaseFile({ url: config.database.url, dataDir: config.dataDir })
    if (file !== null) return checkClock((await lastWriteOf(file)) - Date.now(), 'the last write of the database')
    return onDatabase(
      context,
      async (db) => checkClock(await databaseAheadMs(db), 'the clock of the database server'),
      {
        none,
        unusable: notChecked,
      },
    )
  },
}

async function lastWriteOf(file: string): Promise<number> {
  const times = [file, `${file}-wal`].map((path) => stat(path).then(({ mtimeMs }) => mtimeMs))
  const found = (await Promise.allSettled(times)).flatMap((time) => (time.status === 'fulfilled' ? [time.value] : []))
  return Math.max(0, ...found)
}

const goodClockMs = 1_000
const wrongClockMs = 10_000

/** @param ms how far something is ahead of this machine's clock; negative: behind, as the last write always is */
export function checkClock(ms: number, what: string): CheckResult {
  const isWrite = what.startsWith('the last write')
  const off = isWrite ? Math.max(0, ms) : Math.abs(ms)
  if (off < goodClockMs) return ok(isWrite ? 'not behind the last write' : 'the same as that of the database server')
  const message = `${what} is ${(off / 1_000).toFixed(0)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of this machine`
  const fix = 'synchronize both machines with NTP, for example with chrony or systemd-timesyncd'
  return off < wrongClockMs ? note(message, fix) : wrong(message, fix)
}
