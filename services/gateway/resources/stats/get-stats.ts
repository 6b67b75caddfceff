import { Conflict } from '#shared/data/conflict.ts'
import { countListDays, countSubjectDays } from '#shared/data/events/event-days.ts'
import { findList, readIndexes } from '#shared/data/lists/lists.ts'
import { createdStats, dayMs, eventStats, lastDays, type Stats } from '#shared/domain/stats.ts'
import { authorize } from '../../auth/authorize.ts'
import { type EventSubjectRequest, withEventSubject } from '../events/event-subject.ts'
import { getIdentity, type IdentityRequest } from '../identities/management/load-identity.ts'
import type { StatsDeps } from './context.ts'

type SubjectRequest = Pick<EventSubjectRequest, 'principal' | 'list' | 'item' | 'index'> & { days: number }

/** How much happens in a list. The stats count the whole list, even if the principal sees only a part of it. */
export type ListStats = { items: Stats; indexes: Stats; events: Stats }

/** @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
export function getListStats(deps: StatsDeps, { days, ...request }: SubjectRequest): Promise<ListStats> {
  return withEventSubject(
    deps,
    { ...request, part: 'stats', includeGuarded: false },
    async ({ accountId, modelId }) => {
      const list = await findList(deps.db, accountId, modelId)
      if (!list) throw new Conflict('list')
      const indexes = await readIndexes(deps.db, accountId, modelId)
      const events = await countListDays(deps.db.long, { accountId, listId: modelId })
      const period = lastDays(deps.now(), days)
      const created = { ...events, counts: events.counts.filter(({ type }) => type === 'item-created') }
      return {
        items: createdStats(list.itemCount, created, period),
        indexes: createdStats(indexes.length, { counts: indexes.map(createdOn), since: null }, period),
        events: eventStats(events, period),
      }
    },
  )
}

/** How much happens to an item or an index. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
export function getSubjectStats(deps: StatsDeps, { days, ...request }: SubjectRequest): Promise<{ events: Stats }> {
  return withEventSubject(deps, { ...request, part: 'stats', includeGuarded: false }, ({ modelId }) =>
    subjectStats(deps, modelId, days),
  )
}

/** How much happens to an identity. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
export async function getIdentityStats(
  deps: StatsDeps,
  { days, ...request }: IdentityRequest & { days: number },
): Promise<{ events: Stats }> {
  const { id, group } = (await getIdentity(deps, request, 'view')).identity
  authorize(request.principal, { action: 'view', resourceType: 'stats', identityId: id, group })
  return subjectStats(deps, id, days)
}

async function subjectStats({ db, now }: StatsDeps, modelId: string, days: number): Promise<{ events: Stats }> {
  return { events: eventStats(await countSubjectDays(db.long, modelId), lastDays(now(), days)) }
}

function createdOn({ createdAt }: { createdAt: number }) {
  return { type: 'index-created', day: createdAt - (createdAt % dayMs), entries: 1 }
}
