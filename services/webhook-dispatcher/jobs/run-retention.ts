import type { BatchBounds } from '#shared/data/background/pace.ts'
import { createPacer, type Pacer, runBatches } from '#shared/data/background/pacer.ts'
import { clocksApartMs, createSweep, type Sweep } from '#shared/data/background/sweep.ts'
import { noTime } from '#shared/data/background/timed-transaction.ts'
import type { Database } from '#shared/data/database.ts'
import {
  deleteOldRuns,
  deleteRunsOf,
  findRunBeyond,
  listNewestRuns,
  type RunShare,
} from '#shared/data/flows/run-retention.ts'
import { firstIdAt } from '#shared/domain/id.ts'
import { keptFlowRuns } from '#shared/domain/limits.ts'

type KeptRuns = Readonly<Record<RunShare, number>>

type RunSweeping = {
  db: Database
  batchRows: BatchBounds
  /** For how many days a run is kept. */
  days: number
  /** How many runs of a flow are kept, the newest of each share. */
  kept?: KeptRuns
  onDeleted(rows: number): void
}

const dayMs = 86_400_000

/** @returns a function that deletes expired runs, and then those beyond the newest of each flow, or continues where it was stopped */
export function createRunSweep({ db, batchRows, days, kept = keptFlowRuns, onDeleted }: RunSweeping): Sweep {
  const pacer = createPacer(db, batchRows)
  const sweepOld = createSweep({
    pacer,
    until: async () => (await db.now()) - days * dayMs,
    async batch(of) {
      const batch = await deleteOldRuns(db, of)
      onDeleted(batch.rows)
      return batch
    },
  })
  const sweepSurplus = createSurplusSweep({ db, pacer, kept, onDeleted })
  let old: { deleted: number } | null = null
  return async (shouldContinue) => {
    old ??= await sweepOld(shouldContinue)
    const surplus = old && (await sweepSurplus(shouldContinue))
    if (!old || !surplus) return null
    const deleted = old.deleted + surplus.deleted
    old = null
    return { deleted }
  }
}

type SurplusSweeping = Pick<RunSweeping, 'db' | 'onDeleted'> & { pacer: Pacer; kept: KeptRuns }

/** How many flows one statement checks for runs to delete. */
const flowsPerRead = 100

/** The position of a sweep: the last flow that it has finished. `begunAt`: by the database's clock. */
type SurplusSweep = { begunAt: number; after: string; deleted: number }

/**
 * Goes through the flows of all accounts. To find out whether a flow has too many runs costs one index entry for each kept run, so flows
 * that have not run since the previous sweep are skipped.
 */
function createSurplusSweep(sweeping: SurplusSweeping): Sweep {
  const { db, pacer } = sweeping
  let current: SurplusSweep | null = null
  let sweptFrom = 0
  return async (shouldContinue) => {
    const sweep: SurplusSweep = current ?? { begunAt: await db.now(), after: '', deleted: 0 }
    current = sweep
    while (shouldContinue()) {
      pacer.size() // from now on the rest counts
      const flows = await listNewestRuns(db, { after: sweep.after, limit: flowsPerRead })
      if (flows.length === 0) {
        sweptFrom = sweep.begunAt
        current = null
        return { deleted: sweep.deleted }
      }
      await pacer.rest({ rows: 0, took: noTime })
      const known = firstIdAt(sweptFrom - clocksApartMs)
      for (const { flowId, isPublic, runId } of flows) {
        for (const share of runId !== null && runId >= known ? sharesOf(isPublic) : [])
          if (!(await deleteSurplus(sweeping, { sweep, flowId, share }, shouldContinue))) return null
        sweep.after = flowId
      }
    }
    return null
  }
}

/** If a flow can no longer be called without credentials, all its runs are one share: those of such calls are the oldest, and go first. */
function sharesOf(isPublic: boolean): (RunShare | null)[] {
  return isPublic ? ['public', 'known'] : [null]
}

/** @returns whether only runs to keep are left of the flow */
async function deleteSurplus(
  { db, pacer, kept, onDeleted }: SurplusSweeping,
  { sweep, flowId, share }: { sweep: SurplusSweep; flowId: string; share: RunShare | null },
  shouldContinue: () => boolean,
): Promise<boolean> {
  pacer.size()
  const upTo = await findRunBeyond(db, flowId, kept[share ?? 'known'], share)
  await pacer.rest({ rows: 0, took: noTime })
  if (upTo === null) return true
  let after = ''
  const { done } = await runBatches(pacer, shouldContinue, async (most) => {
    const batch = await deleteRunsOf(db, { flowId, after, upTo, share }, most)
    after = batch.after
    sweep.deleted += batch.rows
    onDeleted(batch.rows)
    return batch
  })
  return done
}
