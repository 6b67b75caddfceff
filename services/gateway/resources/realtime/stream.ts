import { readStatesBefore } from '#shared/data/realtime/read-commits.ts'
import {
  type EndReason,
  endFrame,
  heartbeat,
  hintFrame,
  placed,
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
import { grantOf, haveOneGrant } from './grant.ts'
import type { HintWatch } from './hint-hub.ts'
import { frameFor, needsStateBefore, type StateBefore, type Watcher } from './views.ts'

/** A stream that is about to begin. */
export type StreamStart = {
  watcher: Watcher
  /** The ids of the lists, in the order in which the client named them; null: all. */
  named: readonly string[] | null
  feed: AccountFeed
  /** Null: the client requests none. */
  hints: HintWatch | null
  /** Where it begins, and the last event before that. */
  position: Position
  id: ResumeId
  resumed: boolean
  /** Why the client cannot continue from what it has; null: it can. */
  reset: ResetReason | null
  /** @throws AppError when the credentials of the request are no longer valid */
  authenticate(): Promise<AuthenticatedPrincipal>
}

/** Over how long clients spread the opening of their next streams. */
const retryWithinMs = 5_000

/**
 * The pieces of a stream: each is created when the reader has read the previous one. So a reader that stops costs one piece and what
 * Node buffers, no matter how much happens in the meantime.
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
    grant: grantOf(start.watcher.principal),
  }
  const { heartbeatMs } = deps.streamPace
  const wait = createWait([start.feed, ...(start.hints ? [start.hints] : [])], signal)
  try {
    yield readyFrame(state, { lists: start.named, resumed: start.resumed })
    if (start.reset) yield resetFrame(state, start.reset)
    while (!signal.aborted) {
      const piece = await nextPiece(deps, state)
      if (piece === null) {
        if ((await wait.next(heartbeatMs)) === 'timeout') yield heartbeat(state)
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
  /** The grant of the principal, a part of each id. */
  grant: string
}

type Piece = { text: string; ends?: true }

/** @returns null when there is nothing new */
async function nextPiece(deps: RealtimeDeps, state: State): Promise<Piece | null> {
  const { feed } = state
  const { checkEveryMs, maxBehind } = deps.streamPace
  const isChecked = state.checked === deps.hub.rechecks() && performance.now() - state.checkedAt < checkEveryMs
  const page = await feed.after(state.position)
  const isQuiet = isChecked && !state.hints?.isDue()
  if (page === null && isQuiet) return null
  // Every stream of the account is woken; one that gets none of these events only moves its position.
  if (page !== null && page !== 'gap' && isQuiet && !hasOwn(state.watcher, page)) {
    moveTo(state, page)
    return { text: '' }
  }
  const asked = deps.hub.rechecks()
  const changed = await recheck(state)
  if (changed === 'revoked') return ending('revoked')
  Object.assign(state, { checked: asked, checkedAt: performance.now() })
  const reset = changed ? resetFrame(state, 'changed') : ''
  // Hints are sent only after the credentials were checked.
  const hints = () => (state.hints?.isDue() ? state.hints.take().map(hintFrame).join('') : '')
  if (page === null) return { text: reset + hints() }
  if (page === 'gap') return jump(state, 'too-old')
  if (feed.end().number - state.position.number > maxBehind) return ending('lagging')
  const text = await render(deps, state, page.events)
  // A check of credentials was requested in the meantime: decide again, after that check, which of these events are sent.
  if (asked !== deps.hub.rechecks()) return { text: reset }
  moveTo(state, page)
  return { text: reset + text + hints() }
}

function hasOwn({ subscription }: Watcher, { events }: FeedPage): boolean {
  return events.some((event) => concerns(subscription, event))
}

function moveTo(state: State, page: FeedPage): void {
  state.position = page.to
  state.id = idOf(page) ?? state.id
}

function jump(state: State, reason: ResetReason): Piece {
  Object.assign(state, { position: state.feed.end(), id: state.feed.endId() })
  return { text: resetFrame(state, reason) }
}

function ending(reason: EndReason): Piece {
  return { text: endFrame(reason, retryMs()), ends: true }
}

const retryMs = () => Math.floor(Math.random() * retryWithinMs)

/** @returns whether the rights of the client have changed */
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
  if (haveOneGrant(before, principal)) return false
  state.grant = grantOf(principal)
  return true
}

/** The frames of a page for the client, with one `reset` frame if its view has moved. */
async function render(
  deps: RealtimeDeps,
  { watcher, grant }: Pick<State, 'watcher' | 'grant'>,
  page: readonly FeedEvent[],
): Promise<string> {
  const events = page.filter((event) => concerns(watcher.subscription, event))
  const configs = await configsOf(deps, watcher, events)
  const statesBefore = await statesBeforeOf(
    deps,
    events.filter((event) => needsStateBefore(event, configs, watcher)),
  )
  let text = ''
  let isReset = false
  for (const event of events) {
    const at = { id: { number: event.position.number, eventId: event.id }, grant }
    const { frame, moved } = frameFor(event, configs, { watcher, before: statesBefore.get(event) })
    if (moved && !isReset) text += resetFrame(at, 'changed')
    isReset ||= moved
    if (frame !== null) text += placed(at, frame)
  }
  return text
}

async function configsOf(
  { currentLists }: RealtimeDeps,
  { principal }: Watcher,
  events: readonly FeedEvent[],
): Promise<Map<string, ListConfig | null>> {
  const configs = new Map<string, ListConfig | null>()
  for (const listId of new Set(events.map((event) => event.listId)))
    configs.set(listId, await currentLists(principal.accountId, listId))
  return configs
}

async function statesBeforeOf(
  { db }: RealtimeDeps,
  events: readonly FeedEvent[],
): Promise<Map<FeedEvent, StateBefore>> {
  const states = await readStatesBefore(
    db,
    events.map(({ id }) => id),
  )
  return new Map(events.map((event) => [event, states.get(event.id) ?? 'unknown']))
}

type Wait = { next(withinMs: number): Promise<'woken' | 'timeout'>; end(): void }

/** Waits for news from any source; news between two waits ends the next wait at once. */
function createWait(sources: readonly Pick<AccountFeed, 'watch'>[], signal: AbortSignal): Wait {
  let woken = false
  let onWake: (() => void) | null = null
  function wake(): void {
    woken = true
    onWake?.()
  }
  const stops = sources.map((source) => source.watch(wake))
  signal.addEventListener('abort', wake)
  return {
    next(withinMs) {
      return new Promise((resolve) => {
        const timer = setTimeout(end, withinMs, 'timeout')
        function end(how: 'woken' | 'timeout'): void {
          clearTimeout(timer)
          onWake = null
          if (how === 'woken') woken = false
          resolve(how)
        }
        onWake = () => end('woken')
        if (woken || signal.aborted) end('woken')
      })
    },
    end() {
      for (const stop of stops) stop()
      signal.removeEventListener('abort', wake)
    },
  }
}
