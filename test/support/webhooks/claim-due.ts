import type { Transaction } from '#shared/data/database.ts'
import { type Claim, claimDue as claim, type Holder } from '#shared/data/dispatch/claims.ts'
import type { Lane } from '#shared/domain/webhook/deliveries/queue.ts'
import { testId } from '../databases/contents/rows.ts'

/** Claims due webhooks, like a cycle without other work. */
export async function claimDue(
  tx: Transaction,
  { maxWaiting = 1_000, ...options }: Holder & { lane: Lane; limit: number; maxWaiting?: number },
): Promise<Claim[]> {
  const giving = { maxWaiting, newId: testId, room: 500 }
  return (await claim(tx, { ...options, giving })).claims
}
