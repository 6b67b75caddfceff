import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type Database, openDatabase } from '#shared/data/database.ts'
import { testFolder } from './folder.ts'

const listd = join(import.meta.dirname, '../../scripts/listd')

export type CommandResult = { code: number; stdout: string; stderr: string }
export type CommandLine = {
  dataDir: string
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<CommandResult>
  database(): Promise<Database>
}

/** The command line on a data directory of a test's own, with the least hashing that is allowed. */
export async function commandLine(t: ExecutionContext): Promise<CommandLine> {
  const dataDir = await testFolder(t)
  const settings = { LISTD_DATA_DIR: dataDir, LISTD_PASSWORDS_MEMORY_MIB: '19' }
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
    async database() {
      const db = await openDatabase({ url: '', dataDir, readers: 1 })
      t.teardown(() => db.close())
      return db
    },
  }
}
