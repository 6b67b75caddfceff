import { isDeepStrictEqual } from 'node:util'
import { readStatesBefore } from '#shared/data/realtime/read-commits.ts'
import {
  type EndReason,
  endFrame,
  heartbeat,
  hintFrame,
  type ResetReason,
  readyFrame,
  resetFrame,
} from '#shared/domain/realtime/frame.ts'
import type { Position, ResumeId } from '#shared/domain/realtime/position.ts'
import { concerns } from '#shared/domain/realtime/subscription.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { type AccountFeed, type FeedEvent, type FeedPage, idOf } from './account-feed.ts'
import type { RealtimeDeps } from './context.ts'
import { viewOf } from './current-lists.ts'
import type { HintWatch } from './hint-hub.ts'
import { frameFor, needsStateBefore, type Watcher } from './views.ts'

/** A stream that is about to begin. */
export type StreamStart = {
  watcher: Watcher
  /** The ids of the lists, in the order in which the client named them; null: all. */
  named: readonly string[] | null
  feed: AccountFeed
  /** Null: the client asks for none. */
  hints: HintWatch | null
  /** Where it begins, and the last event before that. */
  position: Position
  id: ResumeId
  resumed: boolean
  /** Why what the client has is not to be built on; null: it may be. */
  reset: ResetReason | null
  /** @throws AppError when the credentials of the request hold no more */
  authenticate(): Promise<AuthenticatedPrincipal>
}

const heartbeatMs = 15_000
/** How often credentials are checked anew where no message has told of a change. */
const checkEveryMs = 60_000
/** Commits that a reader may be behind while it is connected. */
const maxBehind = 10_000
/** Over how long clients spread the opening of their next streams. */
const retryWithinMs = 5_000

/**
 * The pieces of a stream: each is made when the reader has taken the one before it, so a reader that stops costs one piece and what
 * Node keeps, however much happens meanwhile.
 */
export async function* streamOf(
  deps: RealtimeDeps,
  start: StreamStart,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const state = {
    ...start,
    checked: deps.hub.rechecks(),
    checkedAt: performance.now(),
    views: new Map<string, string>(),
  }
  const wait = createWait([start.feed, ...(start.hints ? [start.hints] : [])], signal)
  try {
    await noteViews(deps, state)
    yield readyFrame(state.id, { lists: start.named, resumed: start.resumed })
    if (start.reset) yield resetFrame(state.id, start.reset)
    while (!signal.aborted) {
      const piece = await nextPiece(deps, state)
      if (piece === null) {
        if ((await wait.next(heartbeatMs)) === 'timeout') yield heartbeat(state.id)
        continue
      }
      if (piece.text !== '') yield piece.text
      if (piece.ends) return
    }
    yield endFrame('restart', retryMs())
  } finally {
    wait.end()
  }
}

type State = StreamStart & {
  checked: number
  checkedAt: number
  /** What decided what of lists the client saw, by their ids. */
  views: Map<string, string>
}

type Piece = { text: string; ends?: true }

/** @returns null when there is nothing new */
async function nextPiece(deps: RealtimeDeps, state: State): Promise<Piece | null> {
  const { feed } = state
  const isChecked = state.checked === deps.hub.rechecks() && performance.now() - state.checkedAt < checkEveryMs
  const page = await feed.after(state.position)
  if (page === null && isChecked && !state.hints?.isDue()) return null
  const asked = deps.hub.rechecks()
  const changed = await recheck(state)
  if (changed === 'revoked') return ending('revoked')
  Object.assign(state, { checked: asked, checkedAt: performance.now() })
  const reset = changed ? resetFrame(state.id, 'changed') : ''
  // Hints are for who may read now.
  const hints = () => (state.hints?.isDue() ? state.hints.take().map(hintFrame).join('') : '')
  if (page === null) return { text: reset + hints() }
  if (page === 'gap') return jump(state, 'too-old')
  if (feed.end().number - state.position.number > maxBehind) return ending('lagging')
  const { text, views } = await render(deps, state, page.events)
  // Credentials were checked anew meanwhile: what they may see of these events is decided anew, too.
  if (asked !== deps.hub.rechecks()) return { text: reset }
  moveTo(state, page)
  state.views = views
  return { text: reset + text + hints() }
}

function moveTo(state: State, page: FeedPage): void {
  state.position = page.to
  state.id = idOf(page) ?? state.id
}

function jump(state: State, reason: ResetReason): Piece {
  Object.assign(state, { position: state.feed.end(), id: state.feed.endId() })
  return { text: resetFrame(state.id, reason) }
}

function ending(reason: EndReason): Piece {
  return { text: endFrame(reason, retryMs()), ends: true }
}

const retryMs = () => Math.floor(Math.random() * retryWithinMs)

/** @returns whether the client may do something else than before */
async function recheck(state: State): Promise<boolean | 'revoked'> {
  const { watcher } = state
  let principal: AuthenticatedPrincipal
  try {
    principal = await state.authenticate()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return 'revoked'
    throw error
  }
  const before = watcher.principal
  state.watcher = { ...watcher, principal }
  return !isDeepStrictEqual(grantOf(before), grantOf(principal))
}

/** What of a principal decides what it sees. */
function grantOf(principal: AuthenticatedPrincipal) {
  if (principal.mode === 'user') return principal.userId
  const { permissions, identity, tokenTags } = principal
  return { permissions, identity: identity && { ...identity, displayName: '' }, tokenTags }
}

async function noteViews(deps: RealtimeDeps, { watcher, views }: State): Promise<void> {
  const { principal, subscription } = watcher
  if (principal.mode === 'user') return
  for (const listId of subscription.listIds ?? []) {
    const config = await deps.currentLists(principal.accountId, listId)
    if (config) views.set(listId, viewOf(config))
  }
}

/** The frames of a page for the client, and what decides from then on what it sees of lists. */
async function render(
  deps: RealtimeDeps,
  { watcher, id, views: before }: Pick<State, 'watcher' | 'id' | 'views'>,
  page: readonly FeedEvent[],
): Promise<{ text: string; views: Map<string, string> }> {
  const events = page.filter((event) => concerns(watcher.subscription, event))
  const configs = new Map<string, ListConfig | null>()
  for (const listId of new Set(events.map((event) => event.listId)))
    configs.set(listId, await deps.currentLists(watcher.principal.accountId, listId))
  const needed = events.filter((event) => needsStateBefore(event, configs.get(event.listId) ?? null, watcher))
  const statesBefore = await readStatesBefore(
    deps.db,
    needed.map(({ id }) => id),
  )
  const isNeeded = new Set(needed)
  const views = viewsAfter(before, configs)
  const isChanged = watcher.principal.mode !== 'user' && [...before].some(([id, view]) => views.get(id) !== view)
  let text = isChanged ? resetFrame(id, 'changed') : ''
  for (const event of events) {
    const stateBefore = isNeeded.has(event) ? (statesBefore.get(event.id) ?? 'unknown') : undefined
    const frame = frameFor(event, configs.get(event.listId) ?? null, { watcher, before: stateBefore })
    text += frame === 'changed' ? resetFrame(id, 'changed') : (frame ?? '')
  }
  return { text, views }
}

/** What decided what tokens saw of lists, with what decides now; a list that is gone has no other view. */
function viewsAfter(
  before: ReadonlyMap<string, string>,
  configs: ReadonlyMap<string, ListConfig | null>,
): Map<string, string> {
  const now = [...configs].flatMap(([listId, config]) => (config ? [[listId, viewOf(config)] as const] : []))
  return new Map([...before, ...now])
}

type Wait = { next(withinMs: number): Promise<'woken' | 'timeout'>; end(): void }

/** Waits for news of any source; what comes between two waits ends the next at once. */
function createWait(sources: readonly Pick<AccountFeed, 'watch'>[], signal: AbortSignal): Wait {
  let woken = false
  let resolve: ((how: 'woken' | 'timeout') => void) | null = null
  function wake(): void {
    woken = true
    resolve?.('woken')
  }
  const stops = sources.map((source) => source.watch(wake))
  signal.addEventListener('abort', wake)
  return {
    async next(withinMs) {
      if (!woken && !signal.aborted) {
        let timer: NodeJS.Timeout | undefined
        const how = await new Promise<'woken' | 'timeout'>((done) => {
          resolve = done
          timer = setTimeout(() => done('timeout'), withinMs)
        })
        clearTimeout(timer)
        resolve = null
        if (how === 'timeout') return how
      }
      woken = false
      return 'woken'
    },
    end() {
      for (const stop of stops) stop()
      signal.removeEventListener('abort', wake)
    },
  }
}
