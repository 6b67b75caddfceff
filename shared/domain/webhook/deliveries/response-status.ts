/** A range of response statuses, both ends included. */
export type StatusRange = { from: number; to: number }

/** The form of a filter on the status of the response. */
export const statusFilter = /^[1-5]([0-9]{2}|xx)$/

/** The statuses of a filter that matches `statusFilter`: `502` is one, `5xx` a hundred. */
export function statusRange(filter: string): StatusRange {
  return { from: Number(filter.replace('xx', '00')), to: Number(filter.replace('xx', '99')) }
}
