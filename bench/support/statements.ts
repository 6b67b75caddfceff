import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { testBackend } from '../../test/support/databases/database.ts'
import { until } from './clock.ts'

/** Settings with which listd's processes count their statements and write the counts to `folder`. */
export function countingStatements(folder: string): Record<string, string> {
  const module = new URL(`file://${join(import.meta.dirname, 'count-statements.ts')}`)
  module.searchParams.set('folder', folder)
  module.searchParams.set('database', testBackend)
  return { NODE_OPTIONS: `--import=${module.href}` }
}

/** The number of SQL statements that the process has run since its start. */
export async function statementsOf(pid: number, folder: string): Promise<number> {
  const file = join(folder, `${pid}`)
  let text = ''
  process.kill(pid, 'SIGUSR2')
  const look = async () => {
    text = await readFile(file, 'utf8').catch(() => '')
    return text.endsWith('\n')
  }
  await until(look, { what: 'the count of statements' })
  await rm(file)
  return Number(text)
}
