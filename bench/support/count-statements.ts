import { writeFileSync } from 'node:fs'
import sqlite from 'sqlite3'

/**
 * Preloaded into listd's processes: counts the SQL statements that a process runs, and on SIGUSR2 writes the number to the
 * file of the process in the folder that this module's url names.
 */
const folder = new URL(import.meta.url).searchParams.get('folder')
let count = 0

const statements = sqlite.Statement.prototype
for (const name of ['run', 'all'] as const) {
  const original = statements[name] as (...args: unknown[]) => unknown
  Object.assign(statements, {
    [name](...args: unknown[]) {
      count++
      return original.apply(this, args)
    },
  })
}

process.on('SIGUSR2', () => writeFileSync(`${folder}/${process.pid}`, `${count}\n`))
