import { randomBytes } from 'node:crypto'
import { type Connection, createConnection } from 'mysql2/promise'
import type { TestDatabase, TestDatabases } from '../database-types.ts'
import { databaseIn, withDatabase } from '../database-url.ts'
import { rowsOf } from './mysql-rows.ts'
import { assertNoSecretInTables, copySchema, emptyTables, schemaOf } from './mysql-schema.ts'

/**
 * Databases on MySQL and MariaDB, where creating tables is slow: 400 and 130 ms for ours, compared with 20 for checking and emptying
 * them. So migrated databases are kept for the run and reused. A lock in the server marks those in use. It is released with its
 * connection, even when a process is killed; the next user cleans the database.
 */
export function mysqlDatabases(templateUrl: string): TestDatabases {
  const template = databaseIn(templateUrl)

  async function takeMigrated(): Promise<TestDatabase> {
    const connection = await connect(templateUrl)
    const name = await lockFree(connection, template)
    await makeLikeTemplate(connection, { template, name })
    const release = async () => {
      try {
        await assertNoSecretInTables(connection, name)
      } finally {
        await connection.end()
      }
    }
    return { url: withDatabase(templateUrl, name), release }
  }

  async function takeEmpty(): Promise<TestDatabase> {
    const name = `${template}_${randomBytes(6).toString('hex')}`
    await create(name)
    const release = () => administrate(templateUrl, (connection) => drop(connection, name))
    return { url: withDatabase(templateUrl, name), release }
  }

  const create = (name: string) =>
    administrate(templateUrl, async (connection) => {
      await connection.query(`create database ${name}`)
    })

  return {
    async createTemplate(migrate) {
      await create(template)
      await migrate?.(templateUrl)
    },
    takeMigrated,
    takeEmpty,
    removeAll: () =>
      administrate(templateUrl, async (connection) => {
        for (const name of await databases(connection)) if (name.startsWith(template)) await drop(connection, name)
      }),
  }
}

/** @returns the first name that no connection has locked */
async function lockFree(connection: Connection, template: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = `${template}_${n}`
    const [row] = await rowsOf(connection, 'select get_lock(?, 0)', [name])
    if (row?.[0] === 1) return name
  }
}

/** Afterwards the database has the template's tables and rows, and no connections. */
async function makeLikeTemplate(
  connection: Connection,
  { template, name }: { template: string; name: string },
): Promise<void> {
  await disconnectOthers(connection, name)
  await connection.query('set foreign_key_checks = 0')
  const schema = await schemaOf(connection, template)
  const isThere = (await databases(connection)).includes(name)
  if (isThere && schema === (await schemaOf(connection, name))) {
    await emptyTables(connection, { template, name })
    return
  }
  // It is new, or a test has changed its tables.
  if (isThere) await drop(connection, name)
  await connection.query(`create database ${name}`)
  await copySchema(connection, { template, name })
}

/**
 * A transaction of a killed process may still be open, with its locks. Both products show the connections; the table of MySQL 9 fails
 * as long as any statement has a character of four bytes.
 */
async function disconnectOthers(connection: Connection, name: string): Promise<void> {
  for (const [id, , , database] of await rowsOf(connection, 'show processlist')) {
    if (database === name) await connection.query(`kill ${id}`).catch(() => {}) // it has just ended
  }
}

async function drop(connection: Connection, name: string): Promise<void> {
  await disconnectOthers(connection, name)
  await connection.query(`drop database if exists ${name}`)
}

async function databases(connection: Connection): Promise<string[]> {
  return (await rowsOf(connection, 'show databases')).map(([name]) => String(name))
}

/** A short connection, to the database that is never copied or dropped. */
async function administrate<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(url)
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

function connect(url: string): Promise<Connection> {
  return createConnection(withDatabase(url, 'information_schema'))
}
