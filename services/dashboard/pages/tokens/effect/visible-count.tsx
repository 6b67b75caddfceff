import type { VisibleCount } from '#client/src/types/user-resources.ts'
import { account } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

type VisibleCountsProps = {
  lists: readonly { id: string; pathName: string }[]
  tokenId: string
  /** Null: it acts for no identity. */
  identityId: string | null
  before: readonly PermissionRule[]
  after: readonly PermissionRule[]
}

/** For each list, how many of its items the token can see with the edited rules, and with the saved ones. */
export function VisibleCounts({ lists, tokenId, identityId, before, after }: VisibleCountsProps) {
  const key = `visible items ${lists.map(({ id }) => id).join()} ${identityId} ${JSON.stringify([before, after])}`
  const counts = useResource(key, async (signal) => {
    const found: { pathName: string; now: VisibleCount; then: VisibleCount }[] = []
    for (const { id, pathName } of lists) {
      const count = (permissions: readonly PermissionRule[]) =>
        account.tokens.countVisible(id, { permissions: [...permissions], tokenId, identityId }, { signal })
      const [now, then] = await Promise.all([count(before), count(after)])
      found.push({ pathName, now, then })
    }
    return found
  })
  if (counts.error) return <p class="muted">The items that it will see cannot be counted: {messageOf(counts.error)}</p>
  return (
    <ul class="effects" aria-label="Items that it sees" aria-busy={counts.data === undefined || counts.isOld}>
      {counts.data?.map(({ pathName, now, then }) => (
        <li key={pathName}>
          <span class="grow">
            <b>{pathName}</b>: sees {said(then)} of its items
          </span>
          <span class="muted">now {said(now)}</span>
        </li>
      ))}
    </ul>
  )
}

const said = ({ count, isAtLeast }: VisibleCount) => `${isAtLeast ? 'at least ' : ''}${count.toLocaleString('en')}`
