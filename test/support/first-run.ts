import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type Api, createApi } from './api.ts'
import { databaseSettings, takeDatabase } from './database.ts'
import { endAll } from './listd.ts'
import { type TestProcess, testProcess } from './process.ts'

const main = join(import.meta.dirname, '../../services/supervisor/main.ts')

/** `listd start` as a newcomer has it: nobody has made an account or a user for it. */
export type FirstRun = {
  process: TestProcess
  /** The lines of the banner. */
  banner: string[]
  address: string
  /** Of the link in the banner; null when there is none. */
  setupToken: string | null
  /** Calls without credentials. */
  anyone: Api
  stop(): Promise<void>
}

/** Starts listd on a data directory, with the least hashing that is allowed, and reads its banner. */
export async function startFresh(
  t: ExecutionContext,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<FirstRun> {
  t.teardown(await takeDatabase(dataDir, { migrated: false }))
  const own = {
    ...{ LISTD_GATEWAY_PORT: '0', LISTD_PASSWORDS_MEMORY_MIB: '19', LISTD_DATA_DIR: dataDir },
    ...{ ...databaseSettings(dataDir), ...env },
  }
  const process_ = testProcess(t, [process.execPath, main, 'start'], { env: { ...process.env, ...own } })
  t.teardown(() => endAll(dataDir))
  await process_.printed(/^ {2}try it .*\n/m)
  const lines = process_.stdout().trimEnd().split('\n')
  const banner = lines.slice(lines.findIndex((line) => line.startsWith('listd is ready')))
  const address = /^ {2}API +(\S+)$/m.exec(banner.join('\n'))?.[1] ?? ''
  return {
    process: process_,
    banner,
    address,
    setupToken: /\/setup#token=(\S+)/.exec(banner.join('\n'))?.[1] ?? null,
    anyone: createApi(() => address, {}),
    async stop() {
      process_.child.kill('SIGTERM')
      await process_.ended
    },
  }
}
