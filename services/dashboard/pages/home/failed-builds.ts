import { ListdError } from '#client/src/error.ts'
import { inList } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { Event } from '#client/src/types/resources.ts'
import { account, client } from '../../api/client.ts'
import { failedLast, type Need, whyFailed } from './needs.ts'

/** The number of builds that are read, and of failed ones that are shown. */
const most = { events: 100, reported: 5 }

/** The indexes whose last build failed, most recent failure first. */
export async function readFailedBuilds(signal: AbortSignal): Promise<Need[]> {
  const where = { type: inList(['index-build-failed', 'index-built', 'index-deleted']) }
  const { data } = await account.events({ where, limit: most.events, signal }).page(1)
  const reported = failedLast(data).slice(0, most.reported)
  const needs = await Promise.all(reported.map((event) => needOf(event, signal)))
  return needs.filter((need) => need !== null)
}

/** Null: it is being built again, or its list was deleted. */
async function needOf({ modelId, attachments }: Event, signal: AbortSignal): Promise<Need | null> {
  const listId = attachments?.listId
  if (typeof listId !== 'string') return null
  try {
    const [list, index] = await Promise.all([
      client.lists.get(listId, { signal }),
      client.list(listId).indexes.get(modelId, { signal }),
    ])
    if (index.buildStatus !== 'failed') return null
    return {
      tone: 'bad',
      title: `The index ${index.pathName} of ${list.name || list.pathName} could not be built`,
      text: whyFailed(attachments ?? {}),
      action: { to: route`/lists/${list.pathName}/indexes`, label: 'Resolve' },
    }
  } catch (error) {
    if (error instanceof ListdError && error.name === 'REQUESTED_ENTITY_NOT_FOUND') return null
    throw error
  }
}
