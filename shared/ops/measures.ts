import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { readLastBackup } from './last-backup.ts'
import type { Measured } from './ops.ts'

/** The connections of this process to a database server; nothing on SQLite, which has no connections. */
export function measureDatabase({ connections }: Pick<Database, 'connections'>): Measured {
  if (connections === null) return {}
  return {
    listd_database_connections_limit: {
      help: 'Connections to the database that this process may have.',
      read: () => connections().limit,
    },
    listd_database_connections_used: {
      help: 'Connections to the database that are in use.',
      read: () => connections().used,
    },
    listd_database_connections_waiting: {
      help: 'Work that waits for a connection to the database.',
      read: () => connections().waiting,
    },
  }
}

/** The last backup that `listd backup` has created of the data directory; left out while there is no backup. */
export function measureBackups({ dataDir }: Pick<Config, 'dataDir'>): Measured {
  const read = async () => {
    const at = await readLastBackup(dataDir)
    return at === null ? null : at / 1_000
  }
  return {
    listd_last_backup_timestamp_seconds: {
      help: 'When "listd backup" created the last backup, in seconds of Unix time.',
      read,
    },
  }
}
