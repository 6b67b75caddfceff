import { type EventQuery, findEvent, readAccountLog, readSubjectLog } from '#shared/data/events/event-log.ts'
import type { Page } from '#shared/data/pages/page.ts'
import { type EventEntry, redactSnapshot, withoutItems } from '#shared/domain/event.ts'
import { isId } from '#shared/domain/id.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { EventDeps } from './context.ts'
import { type EventSubject, type EventSubjectRequest, withEventSubject } from './event-subject.ts'

/** One page of the account's event log (contract 2.6). */
export function listAccountEvents(
  deps: EventDeps,
  { principal, query }: { principal: UserPrincipal; query: EventQuery },
): Promise<Page<EventEntry>> {
  return readAccountLog(deps.db.long, principal.accountId, query)
}

/**
 * One page of the events of a list, an item or an index, as this principal may see them.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED
 */
export function listEvents(
  deps: EventDeps,
  { query, ...request }: EventSubjectRequest & { query: EventQuery },
): Promise<Page<EventEntry>> {
  return withEventSubject(deps, request, (subject) => {
    const see = isSeenWhole(subject) ? undefined : (entry: EventEntry) => redact(entry, subject)
    return readSubjectLog(deps.db.long, subject, { ...query, see })
  })
}

/**
 * One event of a list, an item or an index, with its snapshot.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED
 */
export function getEvent(
  deps: EventDeps,
  { event, ...request }: EventSubjectRequest & { event: string },
): Promise<EventEntry> {
  return withEventSubject(deps, request, async (subject) => {
    const entry = isId(event) ? await findEvent(deps.db, subject, event) : null
    if (!entry) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    return redact(entry, subject)
  })
}

function isSeenWhole({ stream, hiddenPointers, showsItems, sees }: EventSubject): boolean {
  return stream === 'item' ? hiddenPointers.length === 0 && !sees : stream === 'list' || showsItems
}

function redact(entry: EventEntry, { stream, hiddenPointers: cut, showsItems, sees }: EventSubject): EventEntry {
  if (stream === 'index' && !showsItems) return { ...entry, attachments: withoutItems(entry.attachments) }
  if (stream !== 'item') return entry
  // It is unknown whether conditions of rules hide a state that was not read.
  if (sees && (entry.snapshot === null || !sees(entry.snapshot)))
    return { ...entry, version: null, snapshot: null, attachments: null }
  if (entry.snapshot === null) return entry
  return { ...entry, snapshot: redactSnapshot(entry.snapshot, cut) }
}
