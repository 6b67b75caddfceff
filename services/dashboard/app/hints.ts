import { createClient } from '#client/src/client.ts'
import { readBlocks } from '#client/src/live/blocks.ts'
import { backoff, isFinal } from '#client/src/live/stream.ts'
import { streamRoute } from '#client/src/transport.ts'
import { type Hint, type HintTopic, hintTopics } from '#shared/domain/realtime/hints.ts'
import { here } from '../address/location.ts'
import { client, readSelf } from '../api/client.ts'
import { isHinted } from '../api/hinted.ts'
import { refreshInTurn } from '../api/reader.ts'
import { deliveriesKey } from '../pages/deliveries/use-deliveries.ts'
import { stateKey } from '../pages/home/state-key.ts'
import { indexesKey } from '../pages/lists/list-indexes.ts'
import { itemsKey } from '../pages/lists/list-items.ts'
import { listKey } from '../pages/lists/list-page.tsx'
import { runsKey } from '../pages/runs/runs-key.ts'
import { startedBuildKey } from '../pages/schema/plan/started-build-key.ts'

/** A stream does not end, so no timeout applies to it. */
const outside = createClient({ url: location.origin, retries: 0 })

type Change = Pick<Hint, 'topic' | 'listId'>
type Sent = Change & { retryMs?: number }

let isFollowing = false

/**
 * Reads changes by others in lists again where they are shown. Only a visible tab has a stream, because browsers open few connections to
 * one server. A tab that becomes visible again reads what it shows.
 */
export async function followHints(): Promise<void> {
  if (isFollowing) return
  isFollowing = true
  for (let failures = 0; ; failures++) {
    await seen()
    // Waits for a sign-in if the session has ended.
    await readSelf()
    const ending = new AbortController()
    const onHide = () => document.visibilityState === 'hidden' && ending.abort()
    document.addEventListener('visibilitychange', onHide)
    let retryMs: number | undefined
    try {
      await readBlocks(await open(ending.signal), ending.signal, (field) => {
        const [event, sent] = [field('event'), JSON.parse(field('data') || '{}') as Sent]
        if (event === 'ready') {
          if (failures > 0) refreshAll()
          failures = 0
          isHinted.value = true
        } else if (event === 'changed') void apply(sent)
        else if (event === 'end') retryMs = sent.retryMs
      })
    } catch (error) {
      // Without a session, the next iteration waits for one.
      if (isFinal(error) && (error as { status?: number }).status !== 401) return
    } finally {
      document.removeEventListener('visibilitychange', onHide)
      stopRelying()
    }
    if (!ending.signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs ?? backoff(failures)))
  }
}

function open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return outside.send(streamRoute, { options: { topics: '*', signal }, read: (_none, { body }) => body })
}

/** Resolves when the tab is visible. */
function seen(): Promise<void> {
  return new Promise((resolve) => {
    const onChange = () => {
      if (document.visibilityState === 'hidden') return
      document.removeEventListener('visibilitychange', onChange)
      resolve()
    }
    document.addEventListener('visibilitychange', onChange)
    onChange()
  })
}

/** Resumes the polling that hints replace. */
function stopRelying(): void {
  isHinted.value = false
  if (document.visibilityState === 'visible') refreshInTurn('new items ')
}

/** The ids of lists by the names in addresses. */
const ids = new Map<string, string>()

/** The list of the page, if the hint is about it; null: the page has no list, or another one. */
async function listHere({ listId }: Pick<Change, 'listId'>): Promise<string | null> {
  const [, step] = /^\/lists\/([^/]+)/.exec(here.value.path) ?? []
  if (!step) return null
  const name = decodeURIComponent(step)
  try {
    if (!ids.has(name)) ids.set(name, (await client.lists.get(name)).id)
  } catch {
    // The list may be the one of the hint. The page reads it again and shows what is wrong.
    return name
  }
  return listId === undefined || ids.get(name) === listId ? name : null
}

/** For each topic, the prefixes of the keys that show it on any page. */
const shownIn: Readonly<Record<HintTopic, readonly string[]>> = {
  lists: ['lists'],
  indexes: [startedBuildKey],
  items: ['lists'],
  webhooks: ['webhook'],
  // Webhooks show how many deliveries wait.
  deliveries: [deliveriesKey, 'webhook'],
  flows: ['flow ', 'flows '],
  'flow-runs': [runsKey],
  tokens: ['token ', 'tokens '],
  identities: ['identity ', 'identities ', 'groups '],
}
const inLists: readonly HintTopic[] = ['lists', 'indexes', 'items']

/** The shortest interval between reads of the account's state, which takes several calls. */
const stateEveryMs = 3_000
let isStateDue = false

function refreshState(): void {
  if (isStateDue) return
  isStateDue = true
  setTimeout(() => {
    isStateDue = false
    refreshInTurn(stateKey)
  }, stateEveryMs)
}

async function apply(hint: Change): Promise<void> {
  for (const key of shownIn[hint.topic]) refreshInTurn(key)
  if (hint.topic === 'webhooks' || hint.topic === 'indexes') refreshState()
  if (!inLists.includes(hint.topic)) return
  if (hint.topic === 'lists') ids.clear()
  const list = await listHere(hint)
  if (list === null) return
  refreshInTurn(listKey(list))
  if (hint.topic === 'indexes') refreshInTurn(indexesKey(list))
  if (hint.topic === 'items') refreshShown(list)
}

/** The keys that show items, except the rows of a table: those stay as they are, and new items are announced above them. */
function refreshShown(list: string): void {
  for (const part of ['one ', 'history ', 'actor ', 'total ']) refreshInTurn(itemsKey(list) + part)
  refreshInTurn(`new items ${list} `)
}

/** Reads what may have changed while there were no hints. */
function refreshAll(): void {
  for (const topic of hintTopics) void apply({ topic })
}
