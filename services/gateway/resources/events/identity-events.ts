import { type EventQuery, findEvent, readSubjectLog } from '#shared/data/events/event-log.ts'
import type { EventSubjectKey } from '#shared/data/events/event-ranges.ts'
import type { Page } from '#shared/data/pages/page.ts'
import type { EventEntry } from '#shared/domain/event.ts'
import { isId } from '#shared/domain/id.ts'
import { AppError } from '#shared/errors.ts'
import { authorize } from '../../auth/authorize.ts'
import { getIdentity, type IdentityRequest } from '../identities/management/load-identity.ts'
import type { EventDeps } from './context.ts'

/** One page of the events of an identity. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED */
export async function listIdentityEvents(
  deps: Pick<EventDeps, 'db'>,
  { query, ...request }: IdentityRequest & { query: EventQuery },
): Promise<Page<EventEntry>> {
  return readSubjectLog(deps.db.long, await getSubject(deps, request), query)
}

/** One event of an identity, with its snapshot. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
export async function getIdentityEvent(
  deps: Pick<EventDeps, 'db'>,
  { event, ...request }: IdentityRequest & { event: string },
): Promise<EventEntry> {
  const subject = await getSubject(deps, request)
  const entry = isId(event) ? await findEvent(deps.db, subject, event) : null
  if (!entry) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return entry
}

async function getSubject(deps: Pick<EventDeps, 'db'>, request: IdentityRequest): Promise<EventSubjectKey> {
  const { principal } = request
  const { id, group } = (await getIdentity(deps, request, 'view')).identity
  authorize(principal, { action: 'view', resourceType: 'event', identityId: id, group })
  return { accountId: principal.accountId, stream: 'identity', modelId: id }
}
