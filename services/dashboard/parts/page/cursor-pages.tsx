import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../controls/button.tsx'
import { Empty } from '../problems/problem.tsx'

type TurnProps = {
  /** Where the rows after these begin; null: these are the last. */
  next: string | null
  /** What the address asks for of this page alone, such as the row that is open. */
  leaves?: readonly string[]
}

/** The way through rows that are newest first, a page after the other: the address names where one begins as `after`. */
export function Turn({ next, leaves = [] }: TurnProps) {
  const isFirst = !here.value.query.has('after')
  if (isFirst && next === null) return null
  const left = Object.fromEntries(leaves.map((name) => [name, null]))
  const go = (after: string | null) => navigate(withQuery(here.value, { ...left, after }))
  return (
    <div class="row pad">
      <Button kind="quiet" disabled={isFirst} onPress={() => go(null)}>
        Newest
      </Button>
      <Button disabled={next === null} onPress={() => go(next)}>
        Older
      </Button>
    </div>
  )
}

/** What stands in place of rows where filters have left none. @param next as of `Turn` @param what one of them, such as "run" */
export function NoneFound({ next, what }: { next: string | null; what: string }) {
  if (next !== null)
    return <Empty title="None found yet">Not all entries were searched. Choose Older to continue.</Empty>
  return <Empty title="Nothing matches">No {what} matches all of these filters.</Empty>
}
