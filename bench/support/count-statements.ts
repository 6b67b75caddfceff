import { writeFileSync } from 'node:fs'

/**
 * Preloaded into listd's processes: counts the SQL statements that a process runs, and on SIGUSR2 writes the number to the
 * file of the process in the folder that this module's url names.
 */
const url = new URL(import.meta.url)
const folder = url.searchParams.get('folder')
const database = url.searchParams.get('database')
let count = 0

/** Counts the calls of a driver's methods, each of which sends one statement. */
function countCalls(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const original: (...args: unknown[]) => unknown = Reflect.get(prototype, name)
    Object.assign(prototype, {
      [name](...args: unknown[]) {
        count++
        return original.apply(this, args)
      },
    })
  }
}

if (database === 'sqlite') countCalls((await import('sqlite3')).default.Statement.prototype, ['run', 'all'])
if (database === 'postgres') countCalls((await import('pg')).default.Client.prototype, ['query'])
if (database === 'mysql') {
  const { default: mysql2 } = await import('mysql2')
  countCalls(Object(mysql2).Connection.prototype, ['query', 'execute'])
}

process.on('SIGUSR2', () => writeFileSync(`${folder}/${process.pid}`, `${count}\n`))
