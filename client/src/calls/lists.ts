import { createPages, type PageOptions, type Pages, type Where } from '../pages.ts'
import { type Answer, type CallOptions, type DeleteOptions, route, type Send } from '../transport.ts'
import type { Deletion, Event, List, ListFields, ListStats, WrittenList } from '../types/resources.ts'
import { createEvents, type EventOptions, type EventsOptions, type StatsOptions } from './events.ts'

type ListsWhere = Where<
  'name' | 'pathName',
  'pinned' | 'readonly' | 'realtime' | 'protected' | 'indexable' | 'generative' | 'activated'
>

/** The lists themselves, by id or path name. */
export type Lists = {
  create(fields: ListFields & ({ name: string } | { pathName: string }), options?: CallOptions): Answer<WrittenList>
  all(options?: PageOptions<ListsWhere>): Pages<List>
  get(list: string, options?: CallOptions): Answer<List>
  update(list: string, fields: ListFields, options?: CallOptions): Answer<WrittenList>
  /** Deletes the list and its items. A dry run returns the warnings about flows that use it; otherwise the result is undefined. */
  delete(list: string, options?: DeleteOptions): Answer<Deletion | undefined>
  events(list: string, options?: EventsOptions): Pages<Event>
  event(list: string, event: string, options?: EventOptions): Answer<Event>
  /** The number of the list's events by day. */
  stats(list: string, options?: StatsOptions): Answer<ListStats>
}

export function createLists(send: Send): Lists {
  const pathOf = (list: string) => route`/lists/${list}`
  return {
    create: (body, options) => send('POST /lists', { body, options }),
    all: (options) => createPages(send, 'GET /lists', options),
    get: (list, options) => send(`GET ${pathOf(list)}`, { options }),
    update: (list, body, options) => send(`PUT ${pathOf(list)}`, { body, options }),
    delete: (list, options) => send(`DELETE ${pathOf(list)}`, { options }),
    ...createEvents(send, pathOf),
  }
}
