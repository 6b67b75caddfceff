import type { ExecutionContext } from 'ava'
import { until } from '../assertions/until.ts'
import { databaseSettings, takeEmpty } from '../databases/database.ts'
import { type Api, createApi } from '../http/api.ts'
import { endAll } from './listd.ts'
import { listdProgram } from './listd-program.ts'
import { type TestProcess, testProcess } from './process.ts'
import { readyMs } from './runner.ts'

/** `listd start` for a new user: without an account or a user. */
export type FirstRun = {
  process: TestProcess
  /** The lines of the banner. */
  banner: string[]
  address: string
  /** The token of the link in the banner; null when there is none. */
  setupToken: string | null
  /** Calls without credentials. */
  anyone: Api
  stop(): Promise<void>
}

/** Starts listd on a data directory, with the cheapest allowed hashing, and reads its banner. */
export async function startFresh(
  t: ExecutionContext,
  dataDir: string,
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<FirstRun> {
  t.teardown(await takeEmpty(dataDir))
  const own = {
    LISTD_GATEWAY_PORT: '0',
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    LISTD_DATA_DIR: dataDir,
    ...databaseSettings(dataDir),
    ...env,
  }
  t.teardown(() => endAll(dataDir))
  const process_ = testProcess(t, [listdProgram, 'start', ...options], { env: { ...process.env, ...own } })
  const look = () => /^ {2}try it .*\n/m.test(process_.stderr()) || process_.stderr()
  await until(look, { withinMs: readyMs, what: 'the banner' })
  const banner = bannerIn(process_.stderr())
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

/** The lines of the latest banner in what `listd start` has printed. */
export function bannerIn(output: string): string[] {
  const lines = output.split('\n')
  const first = lines.findLastIndex((line) => line.startsWith('listd is ready'))
  const last = lines.findLastIndex((line) => line.startsWith('  try it '))
  return lines.slice(first, last + 1)
}
