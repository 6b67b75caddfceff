import test from 'ava'
import { createLongFlowRuns } from '#services/gateway/admission/long-flow-runs.ts'
import { createParsedFlows } from '#services/gateway/resources/flows/calls/parsed-flows.ts'
import { longStepBytes, readFlowLimits } from '#shared/domain/limits.ts'
import { documentText } from '../../../../support/flows/documents.ts'

const nobody = { isAnybody: false }

/** A flow of an account, whose document has this number of extra characters but few words. */
function stored(accountId: string, id: string, characters = 0) {
  const document = documentText({ layout: 'x'.repeat(characters) })
  return { accountId, id, version: 1, document }
}

test('an account with many long documents does not evict those of others', async (t) => {
  const parsedFlows = createParsedFlows(createLongFlowRuns())
  const small = stored('small', 'one')
  const first = await parsedFlows(small, nobody)
  t.is(await parsedFlows(small, nobody), first)
  const long = 250_000
  const many = Math.ceil((2 * readFlowLimits.max) / long)
  for (let n = 0; n < many; n++) await parsedFlows(stored('large', `f${n}`, long), nobody)
  t.is(await parsedFlows(small, nobody), first)
  const newest = stored('large', `f${many - 1}`, long)
  t.is(await parsedFlows(newest, nobody), await parsedFlows(newest, nobody))
})

test('20 of the longest documents of an account stay cached while they are called in turn', async (t) => {
  const parsedFlows = createParsedFlows(createLongFlowRuns())
  const flows = Array.from({ length: 20 }, (_, n) => stored('a', `f${n}`, 250_000))
  const read: unknown[] = []
  for (const one of flows) read.push(await parsedFlows(one, nobody))
  for (const [n, one] of flows.entries()) t.true((await parsedFlows(one, nobody)) === read[n], one.id)
})

test('a long document is parsed when its turn comes, once for all callers, and a short one at once', async (t) => {
  const longRuns = createLongFlowRuns()
  const turns: string[] = []
  const enter: typeof longRuns.enter = (of, work) => {
    turns.push(of.accountId)
    return longRuns.enter(of, work)
  }
  const parsedFlows = createParsedFlows({ enter })
  await parsedFlows(stored('a', 'short'), nobody)
  t.deepEqual(turns, [])
  const long = stored('a', 'long', longStepBytes)
  const all = await Promise.all([1, 2, 3].map(() => parsedFlows(long, { isAnybody: true })))
  t.is(new Set(all).size, 1)
  t.deepEqual(turns, ['a anybody'])
})
