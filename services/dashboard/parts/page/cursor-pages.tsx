import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../controls/button.tsx'
import { Empty } from '../problems/problem.tsx'

type TurnProps = {
  /** The cursor of the next page; null: this is the last one. */
  next: string | null
  /** Query parameters that apply only to this page, such as the open row. */
  leaves?: readonly string[]
}

/** Buttons to page through rows, newest first. The address has the cursor of a page as `after`. */
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

/** Shown when no row matches the filters. @param next as of `Turn` @param what the kind of the rows, such as "run" */
export function NoneFound({ next, what }: { next: string | null; what: string }) {
  if (next !== null)
    return <Empty title="None found yet">Not all entries were searched. Choose Older to continue.</Empty>
  return <Empty title="Nothing matches">No {what} matches all of these filters.</Empty>
}
