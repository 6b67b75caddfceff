import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { run } from '#services/supervisor/program.ts'
import type { Terminal } from '#services/supervisor/terminal/terminal.ts'
import type { Database } from '#shared/data/database.ts'
import { anotherConnection, databaseSettings, emptyDirectory } from '../databases/database.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { listdProgram } from './listd-program.ts'

export type CommandResult = { code: number; stdout: string; stderr: string }
export type RunCommand = (
  args: string[],
  options?: { input?: string; env?: Record<string, string> /** As if a person sat there. */; isTTY?: boolean },
) => Promise<CommandResult>
export type CommandLine = { dataDir: string; run: RunCommand; database(): Promise<Database> }

/** The command line on the empty data directory of a test. */
export async function commandLine(t: Teardown): Promise<CommandLine> {
  const dataDir = await emptyDirectory(t)
  return { dataDir, run: commandsOn(dataDir), database: () => anotherConnection(t, dataDir, { readers: 1 }) }
}

/** Runs commands in this process, with the cheapest allowed hashing. */
export function commandsOn(dataDir: string): RunCommand {
  return commandsWith(settingsOf(dataDir))
}

/** Runs commands in this process with these variables and no others. */
export function commandsWith(settings: Record<string, string>): RunCommand {
  return async (args, { input = '', env = {}, isTTY = false } = {}) => {
    const printed = { stdout: '', stderr: '' }
    const terminal: Terminal = {
      env: { ...settings, ...env },
      stdin: Object.assign(Readable.from([input]), { isTTY }),
      stdout: { write: (text) => (printed.stdout += text), isTTY },
      stderr: { write: (text) => (printed.stderr += text), isTTY },
      connected: false,
    }
    await run(args, terminal)
    return { code: Number(terminal.exitCode ?? 0), ...printed }
  }
}

/** Starts the program for each command, as people do. */
export function programOn(dataDir: string): RunCommand {
  return (args, { input = '', env = {} } = {}) =>
    new Promise((resolve) => {
      const options = { env: { ...process.env, ...settingsOf(dataDir), ...env }, cwd: dataDir }
      const child = execFile(listdProgram, args, options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
      child.stdin?.end(input)
    })
}

/** Settings with which a command finds the installation of a data directory. */
export function settingsOf(dataDir: string): Record<string, string> {
  return { LISTD_DATA_DIR: dataDir, LISTD_PASSWORDS_MEMORY_MIB: '19', ...databaseSettings(dataDir) }
}
