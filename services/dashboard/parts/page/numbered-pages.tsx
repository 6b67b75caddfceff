import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../controls/button.tsx'

/** The number of the page that the address asks for. */
export const pageNumber = () => Number(here.value.query.get('page') ?? 1)

/** Links to the neighbouring pages, where there are several. */
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
