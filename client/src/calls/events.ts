import type { Filter } from '../filters.ts'
import { createPages, type PageOptions } from '../pages.ts'
import { type CallOptions, route, type Send } from '../transport.ts'
import type { Event } from '../types/resources.ts'

export type Guarded = {
  /** Whether guarded values are included, for the identity that owns the item. */
  includeGuarded?: boolean | undefined
}

export type EventOptions = CallOptions &
  Guarded & {
    /** Whether events include their snapshot. Default: true for a single event, false for a page. */
    includeSnapshot?: boolean | undefined
  }
export type StatsOptions = CallOptions & {
  /** The number of UTC days shown, including today: 1 to 90, default 7. */
  days?: number | undefined
}
export type EventsOptions = PageOptions<{ type?: Filter<string> }> &
  EventOptions & {
    startAt?: Date | string | undefined
    endAt?: Date | string | undefined
  }

/** The events of one kind of resource, and their number by day. */
export function createEvents<Ref>(send: Send, pathOf: (ref: Ref) => string) {
  return {
    events: (ref: Ref, options?: EventsOptions) => createPages<Event>(send, `GET ${pathOf(ref)}/events`, options),
    event: (ref: Ref, event: string, options?: EventOptions) =>
      send<Event>(`GET ${pathOf(ref)}${route`/events/${event}`}`, { options }),
    stats: <T>(ref: Ref, options?: StatsOptions) => send<T>(`GET ${pathOf(ref)}/stats`, { options }),
  }
}
