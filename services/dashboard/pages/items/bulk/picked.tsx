import { useEffect, useState } from 'preact/hooks'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { count } from '#services/dashboard/parts/display/text.tsx'
import { totalText } from '../page-foot.tsx'
import type { ItemRow } from '../table/item-rows.ts'
import type { Total } from '../use-items.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { isFiltered } from '../view/view.ts'
import type { BulkKind } from './bulk-change.ts'
import type { BulkTarget } from './bulk-sources.ts'

type PickedProps = {
  scope: ItemsScope
  rows: readonly ItemRow[]
  picked: ReadonlySet<string>
  total: Total | undefined
  onPick: (ids: ReadonlySet<string>) => void
}

/** The number of selected items, with the actions for them: those on the page, or all that match. */
export function Picked({ scope, rows, picked, total, onPick }: PickedProps) {
  const [isAll, setAll] = useState(false)
  const [target, setTarget] = useState<{ kind: BulkKind; items: BulkTarget } | null>(null)
  useEffect(() => {
    if (picked.size === 0) setAll(false)
  }, [picked.size])
  const BulkDialog = useResource(target && 'script of bulk changes', loadDialog).data
  const items: BulkTarget =
    isAll && total ? { ids: null, ...total } : { ids: [...picked], total: picked.size, isAtLeast: false }
  const hasMore = total !== undefined && (total.isAtLeast || total.total > rows.length)
  const open = (kind: BulkKind) => setTarget({ kind, items })
  return (
    <>
      {picked.size > 0 && (
        <section class="picked" aria-label="Selected items">
          <b role="status">{isAll ? `All ${totalText(items)} selected` : `${count(picked.size)} selected`}</b>
          {hasMore && (
            <button type="button" class="link" onClick={() => setAll(!isAll)}>
              {isAll ? `only the ${count(picked.size)} on this page` : allText(total, scope)}
            </button>
          )}
          <Button kind="quiet" onPress={() => open('fields')}>
            Set fields…
          </Button>
          <Button kind="quiet" onPress={() => open('tags')}>
            Tags…
          </Button>
          <Button kind="bad" onPress={() => open('delete')}>
            Delete…
          </Button>
          <Button kind="quiet" icon="close" label="Select none" onPress={() => onPick(new Set())} />
        </section>
      )}
      {target && BulkDialog && (
        <BulkDialog scope={scope} kind={target.kind} target={target.items} onClose={() => setTarget(null)} />
      )}
    </>
  )
}

/** The script of bulk changes is loaded when it is first used. */
const loadDialog = async () => (await import('./bulk-dialog.tsx')).BulkDialog

const allText = (total: Total, { view }: ItemsScope) =>
  `all ${totalText(total)}${isFiltered(view) ? ' that match' : ''}`
