import type { ExpiringRows } from '../background/delete-expired.ts'

/** The places of events in the order of commits, by their age; the events themselves stay in the log. */
export const oldPlaces: ExpiringRows = {
  table: 'realtime_events',
  key: 'event_id',
  index: 'realtime_events_event_id_unique',
  expiresAt: 'created_at',
}
