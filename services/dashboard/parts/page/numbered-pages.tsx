import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../controls/button.tsx'

/** The page number from the address. */
export const pageNumber = () => Number(here.value.query.get('page') ?? 1)

/** Links to the previous and the next page, if there are several. */
export function NumberedPages({ total, pageSize }: { total: number; pageSize: number }) {
  const number = pageNumber()
  const last = Math.ceil(total / pageSize)
  const go = (page: number) => navigate(withQuery(here.value, { page: String(page) }))
  if (last < 2) return null
  return (
    <>
      <span>
        Page {number} of {last}
      </span>
      <div class="grow" />
      <Button kind="quiet" disabled={number <= 1} onPress={() => go(number - 1)}>
        Previous
      </Button>
      <Button disabled={number >= last} onPress={() => go(number + 1)}>
        Next
      </Button>
    </>
  )
}
