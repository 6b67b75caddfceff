import { LRUCache } from 'lru-cache'
import type { LongFlowRuns } from '#services/gateway/admission/long-flow-runs.ts'
import { turnOf } from '#services/gateway/admission/long-flow-runs.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { readFlowInSteps } from '#shared/domain/flow/language/document.ts'
import type { Flow } from '#shared/domain/flow/language/flow.ts'
import { namesValue } from '#shared/domain/flow/language/named-values.ts'
import { longStepBytes, readFlowLimits } from '#shared/domain/limits.ts'
import { atOnce, inTimeSlices, untilLoopIsFree } from '#shared/time/time-slices.ts'

/** A parsed document that is ready to run, and whether its expressions name the identity or the token of the caller. */
export type ParsedFlow = { flow: Flow; namesIdentity: boolean; namesToken: boolean }

/**
 * Parses the stored document of a flow. The result is cached: the document of a version never changes. Long documents wait for their turn.
 * @throws RATE_LIMIT_EXCEEDED when too many wait for their turn
 */
export type ParsedFlows = (definition: Stored, caller: { isAnybody: boolean }) => Promise<ParsedFlow>

type Stored = Pick<FlowDefinition, 'id' | 'accountId' | 'version' | 'document'>

export function createParsedFlows({ enter }: LongFlowRuns): ParsedFlows {
  const kept = createSharedCache<ParsedFlow>(readFlowLimits)
  const reading = new Map<string, Promise<ParsedFlow>>()

  async function read(key: string, definition: Stored, caller: { isAnybody: boolean }): Promise<ParsedFlow> {
    const { accountId, document } = definition
    const isLong = document.length > longStepBytes
    const parsed = isLong
      ? await enter(turnOf(accountId, caller), async () => {
          await untilLoopIsFree()
          return inTimeSlices(parse(definition))
        })
      : atOnce(parse(definition))
    kept.set(key, { accountId, value: parsed, size: document.length })
    return parsed
  }

  return async (definition, caller) => {
    const key = `${definition.id} ${definition.version}`
    const known = kept.get(key)
    if (known) return known
    const inFlight = reading.get(key)
    if (inFlight) return inFlight
    const begun = read(key, definition, caller).finally(() => reading.delete(key))
    reading.set(key, begun)
    return begun
  }
}

function* parse({ id, document }: Stored): Generator<undefined, ParsedFlow> {
  const { flow, diagnostics } = yield* readFlowInSteps(document)
  if (!flow) throw new Error(`The stored document of flow ${id} is invalid: ${diagnostics[0]?.message}`)
  return { flow, namesIdentity: namesValue(flow, 'identity'), namesToken: namesValue(flow, 'token') }
}

type Entry<T> = { accountId: string; value: T; size: number }

/**
 * A cache that evicts the least recently used entries: of the account if it has used up its share, otherwise of all accounts. So no
 * account can empty the cache for the others.
 */
function createSharedCache<T>({ max, ofAccount }: { max: number; ofAccount: number }) {
  const shares = new Map<string, LRUCache<string, true>>()
  const all = new LRUCache<string, Entry<T>>({
    maxSize: max,
    disposeAfter({ accountId }, key) {
      const share = shares.get(accountId)
      share?.delete(key)
      if (share?.size === 0) shares.delete(accountId)
    },
  })

  function shareOf(accountId: string): LRUCache<string, true> {
    const share =
      shares.get(accountId) ??
      new LRUCache<string, true>({ maxSize: ofAccount, disposeAfter: (_, key) => void all.delete(key) })
    shares.set(accountId, share)
    return share
  }

  return {
    get(key: string): T | undefined {
      const found = all.get(key)
      if (found) shares.get(found.accountId)?.get(key)
      return found?.value
    },
    set(key: string, entry: Entry<T>): void {
      const { accountId, size } = entry
      shareOf(accountId).set(key, true, { size })
      all.set(key, entry, { size })
    },
  }
}
