/**
 * Of all deliveries the attempts that have ended, as a table with the columns of `delivery_attempts`: the last one is in the delivery,
 * those before in the log.
 */
export const endedAttempts = `(
  select id as delivery_id, attempts as number, last_attempt_at as started_at, response_duration_ms as duration_ms,
    response_status as status, error from deliveries where attempts > 0
  union all select delivery_id, number, started_at, duration_ms, status, error from delivery_attempts)`
