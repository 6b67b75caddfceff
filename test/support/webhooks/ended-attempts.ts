/**
 * The ended attempts of all deliveries, as a table with the columns of `delivery_attempts`: the last attempt is in the delivery,
 * earlier ones in the log, which also has the last one if it has details.
 */
export const endedAttempts = `(
  select id as delivery_id, attempts as number, last_attempt_at as started_at, response_duration_ms as duration_ms,
    response_status as status, error from deliveries where attempts > 0
  union all select a.delivery_id, a.number, a.started_at, a.duration_ms, a.status, a.error from delivery_attempts a
    join deliveries d on d.id = a.delivery_id where a.number < d.attempts)`
