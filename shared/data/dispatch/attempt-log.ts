import type { Sql } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { inList, onConflict } from '../sql/statements.ts'

/**
 * Copies the last ended attempts of deliveries to the log, before other attempts take their place. Where an outcome is written
 * again, because the answer to a COMMIT was lost, its own attempt comes there too: who reads the log skips it.
 */
export function logLastAttempts(deliveryIds: readonly string[]): Sql {
  return sql`insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, error)
    select id, attempts, last_attempt_at, response_duration_ms, response_status, error from deliveries
    where ${inList('id', deliveryIds)} and attempts > 0 ${onConflict(['delivery_id', 'number'], {})}`
}
