import type { Transaction } from '#shared/data/database.ts'
import { testBackend } from './database.ts'

/** Whether a transaction of this database waits for a lock of another one; null: SQLite does not report it. */
export async function isLockAwaited(tx: Transaction): Promise<boolean | null> {
  if (testBackend === 'sqlite') return null
  const row = await tx.get<{ n: unknown }>(waiting[testBackend])
  return Number(row?.n) > 0
}

const waiting = {
  postgres:
    "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  mysql: `select count(*) as n from information_schema.innodb_trx t
    join information_schema.processlist p on p.id = t.trx_mysql_thread_id
    where t.trx_state = 'LOCK WAIT' and p.db = database()`,
}
