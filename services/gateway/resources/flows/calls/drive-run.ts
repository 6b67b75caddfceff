import type { FlowPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findIdentity } from '#shared/data/identities/identities.ts'
import type { FlowAnswer, FlowAsk, FlowRejection, FlowResult } from '#shared/domain/flow/run/driver.ts'
import { failureStatus, rejectionOf } from '#shared/domain/flow/run/failure.ts'
import { defaultOrder } from '#shared/domain/item/filters.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { largeBodyBytes, longFlowRuns } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'
import { readListing } from '../../items/reading/list-items.ts'
import { findItem } from '../../items/reading/load-item.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { FlowDeps, FlowLists } from './context.ts'

/** How long a run may take, without its commit and without the time in which it waits for others. */
const maxRunMs = 5_000

/** The environment in which a run reads. `hasTurn`: the run has its turn, so it may take long. */
export type World = { principal: FlowPrincipal; lists: FlowLists; hasTurn: boolean }

/** The run takes long, so it must wait for its turn and be computed again. */
export class NeedsTurn extends Error {
  override name = 'NeedsTurn'
}

/**
 * Drives a run to its end: answers its questions from the database, and lets other work proceed when it pauses.
 * @throws Conflict when the settings of a list have changed; NeedsTurn; SERVICE_UNAVAILABLE
 */
export async function drive(
  deps: FlowDeps,
  run: Generator<FlowAsk, FlowResult, FlowAnswer>,
  world: World,
): Promise<FlowResult> {
  const pause = createTimeSlices()
  let bytes = 0
  let endsAt = performance.now() + maxRunMs
  let step = run.next()
  while (!step.done) {
    const asked = step.value
    let answer: FlowAnswer = {}
    if (asked.ask !== 'pause') {
      answer = await answerTo(deps, asked, world)
      bytes += bytesOf(answer)
      if (!world.hasTurn && bytes > largeBodyBytes) throw new NeedsTurn()
    } else {
      if (!world.hasTurn && asked.work >= longFlowRuns.work) throw new NeedsTurn()
      const from = performance.now()
      await pause()
      endsAt += performance.now() - from
    }
    step = run.next(performance.now() > endsAt ? { rejected: timeout } : answer)
  }
  return step.value
}

function bytesOf(answer: FlowAnswer): number {
  if ('item' in answer) return answer.item?.size ?? 0
  return 'items' in answer && answer.items ? answer.items.reduce((sum, { size }) => sum + size, 0) : 0
}

const timeout: FlowRejection = {
  code: 'TIMEOUT',
  message: `a run takes at most ${maxRunMs / 1_000} seconds`,
  status: failureStatus.TIMEOUT,
}

type Question = Exclude<FlowAsk, { ask: 'pause' }>

async function answerTo(deps: FlowDeps, ask: Question, world: World): Promise<FlowAnswer> {
  try {
    return await answer(deps, ask, world)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { rejected: rejectionOf(error) }
  }
}

async function answer(deps: FlowDeps, ask: Question, world: World): Promise<FlowAnswer> {
  switch (ask.ask) {
    case 'identity': {
      const { accountId } = world.principal
      const found = await findIdentity(deps.db, { accountId, identityId: ask.id })
      return { identity: found && { id: found.identity.id, displayName: found.identity.displayName } }
    }
    case 'item': {
      const config = listOf(world, ask)
      const found = await findItem(deps, config, { principal: world.principal, ref: ask.ref })
      if (found?.configVersion !== config.list.configVersion) throw new Conflict('list')
      return { item: found.item }
    }
    case 'items':
      return { items: await readItems(deps, ask, world) }
  }
}

/** @throws QUESTION_TOO_BROAD if no index serves the question; PAYLOAD_TOO_LARGE if the items are larger than a page may be */
async function readItems(
  deps: FlowDeps,
  ask: Extract<FlowAsk, { ask: 'items' }>,
  world: World,
): Promise<readonly Item[]> {
  const { where, order, direction, limit, guarded: seesGuarded } = ask
  const page = await readListing(deps, listOf(world, ask), {
    principal: { ...world.principal, seesGuarded },
    filters: where === null ? {} : { where },
    pageQuery: { limit, order: order ?? defaultOrder, ...(direction && { direction }), after: '' },
    includeData: true,
    includeGuarded: true,
    otherParameters: { values: {}, routeParameters: [], errors: [] },
  })
  const isCut = 'next' in page && page.next !== null && page.data.length < limit
  if (!isCut) return page.data
  throw new AppError(page.examined === undefined ? 'PAYLOAD_TOO_LARGE' : 'QUESTION_TOO_BROAD', {
    message:
      page.examined === undefined
        ? 'the items together are larger than a page may be; set a lower limit'
        : 'too many items would have to be examined for this; use an index in where',
  })
}

function listOf({ lists }: World, { list }: { list: string }): ListConfig {
  const config = lists.get(list)
  if (!config) throw new Conflict('list')
  return config
}
