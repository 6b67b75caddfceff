import { Button } from '../../parts/controls/button.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import type { ItemRows } from './table/item-rows.ts'
import type { Total } from './use-items.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { isFiltered } from './view/view.ts'

/** By the cursor of a page: the cursor of the previous page, and the number of items before. Cursors only go forward. */
const cameFrom = new Map<string, { cursor: string | null; before: number }>()

const mostRemembered = 1_000

type PageFootProps = { scope: ItemsScope; page: ItemRows; total: Total | undefined }

/** The position of the page among all items, with buttons for other pages. */
export function PageFoot({ scope: { view, show }, page: { rows, next }, total }: PageFootProps) {
  const { after } = view
  const from = after === null ? { cursor: null, before: 0 } : cameFrom.get(after)
  const forth = () => {
    if (next === null) return
    if (cameFrom.size >= mostRemembered) cameFrom.clear()
    if (from) cameFrom.set(next, { cursor: after, before: from.before + rows.length })
    show({ after: next })
    scrollTo(0, 0)
  }
  if (rows.length === 0 && after === null) return null
  return (
    <footer class="foot">
      <span>{rangeText({ shown: rows.length, before: from?.before, total, isFiltered: isFiltered(view) })}</span>
      <div class="grow" />
      {after !== null && (
        <Button kind="quiet" onPress={() => show({})}>
          First page
        </Button>
      )}
      {from && (
        <Button kind="quiet" disabled={after === null} onPress={() => show({ after: from.cursor })}>
          Previous
        </Button>
      )}
      <Button disabled={next === null} onPress={forth}>
        Next
      </Button>
    </footer>
  )
}

type Range = { shown: number; before: number | undefined; total: Total | undefined; isFiltered: boolean }

function rangeText({ shown, before, total, isFiltered }: Range): string {
  const place =
    before === undefined || shown === 0 ? countOf(shown, 'item') : `${count(before + 1)}–${count(before + shown)}`
  if (!total || (total.isAtLeast && total.total === 0)) return place
  return `${place} of ${totalText(total)}${isFiltered ? (total.total === 1 ? ' that matches' : ' that match') : ''}`
}

/** For example "1,204", or "10,000 or more" if the server stopped counting. */
export function totalText({ total, isAtLeast }: Total): string {
  return isAtLeast ? `${count(total)} or more` : count(total)
}
