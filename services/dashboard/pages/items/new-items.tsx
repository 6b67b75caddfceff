import { client } from '../../api/client.ts'
import { isHinted } from '../../api/hinted.ts'
import { useResource } from '../../api/resource.ts'
import { countOf } from '../../parts/display/text.tsx'
import type { ItemRow } from './table/item-rows.ts'
import { conditionsOf } from './view/items-request.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { isBest } from './view/view.ts'

/** Poll interval while there are no hints of changes. */
const everyMs = 10_000
/** New items that are counted; from this number on, the text says "or more". */
const most = 20

type NewItemsProps = { scope: ItemsScope; rows: readonly ItemRow[]; onShow: () => void }

/** Reports items created since the page was read, if the newest are first. A press shows them. */
export function NewItems({ scope, rows, onShow }: NewItemsProps) {
  const { name, view, askable } = scope
  const { order, direction, after } = view
  const [newest] = rows
  const isFirst = !isBest(view) && order === null && direction !== 'asc' && after === null
  const asked = useResource(
    isFirst && newest ? `new items ${name} ${newest.id} ${JSON.stringify([view.search, view.filters])}` : null,
    (signal) =>
      document.visibilityState === 'hidden'
        ? Promise.resolve([])
        : client
            .list(name)
            .items({ where: conditionsOf(view, askable.fields), limit: most, includeData: false, signal })
            .after()
            .then(({ data }) => data),
    { everyMs: () => (isHinted.value ? null : everyMs) },
  )
  // Ids increase with time, but another gateway's clock may be behind. So items that the page already shows are excluded as well.
  const shown = new Set(rows.map(({ id }) => id))
  const fresh = asked.isOld || !newest ? [] : (asked.data ?? []).filter(({ id }) => id > newest.id && !shown.has(id))
  return (
    <div role="status">
      {fresh.length > 0 && (
        <button type="button" class="news" onClick={onShow}>
          {fresh.length < most ? countOf(fresh.length, 'new item') : `${most} or more new items`} · show
        </button>
      )}
    </div>
  )
}
