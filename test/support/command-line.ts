import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { anotherConnection, databaseSettings, emptyDirectory } from './database.ts'

const listd = join(import.meta.dirname, '../../scripts/listd')

export type CommandResult = { code: number; stdout: string; stderr: string }
export type CommandLine = {
  dataDir: string
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<CommandResult>
  database(): Promise<Database>
}

/** The command line on a data directory of a test's own, with the least hashing that is allowed. */
export async function commandLine(t: ExecutionContext): Promise<CommandLine> {
  const dataDir = await emptyDirectory(t)
  const settings = { LISTD_PASSWORDS_MEMORY_MIB: '19', ...settingsOf(dataDir) }
  return {
    dataDir,
    run: (args, { input = '', env = {} } = {}) =>
      new Promise((resolve) => {
        const options = { env: { ...process.env, ...settings, ...env }, cwd: dataDir }
        const child = execFile(listd, args, options, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        )
        child.stdin?.end(input)
      }),
    database: () => anotherConnection(t, dataDir, { readers: 1 }),
  }
}

/** Settings by which a command finds the installation of a data directory. */
export function settingsOf(dataDir: string): Record<string, string> {
  return { LISTD_DATA_DIR: dataDir, ...databaseSettings(dataDir) }
}
