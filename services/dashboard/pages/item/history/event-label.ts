import type { Event } from '#client/src/types/resources.ts'

const done: Readonly<Record<string, string>> = {
  'item-created': 'Created',
  'item-updated': 'Changed',
  'item-restored': 'Restored',
  'item-deleted': 'Deleted',
}

/** What happened, with the resulting version. */
export function eventLabel({ type, version }: Pick<Event, 'type' | 'version'>): string {
  const what = done[type] ?? type
  return version === null ? what : `${what} · ${version}`
}
