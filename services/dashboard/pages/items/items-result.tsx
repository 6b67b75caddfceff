import { useEffect, useRef, useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { itemsIn } from '../../api/items-in.ts'
import type { Resource } from '../../api/reader.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { rememberItems } from '../lists/list-items.ts'
import { Picked } from './bulk/picked.tsx'
import { NewItems } from './new-items.tsx'
import { PageFoot } from './page-foot.tsx'
import type { Column } from './table/columns.ts'
import type { ItemRow, ItemRows } from './table/item-rows.ts'
import { ItemTable } from './table/item-table.tsx'
import { examined, useTotal } from './use-items.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { canSearch } from './view/named.ts'
import { isBest, isFiltered } from './view/view.ts'

type ItemsResultProps = { scope: ItemsScope; page: Resource<ItemRows>; columns: readonly Column[] }

/** The items of a view: the table, the selection, and the position of the page. */
export function ItemsResult({ scope, page, columns }: ItemsResultProps) {
  const total = useTotal(scope)
  const [picked, pick] = usePicked(page)
  const [written, setWritten] = useWritten(page)
  const ids = page.data?.rows.map(({ id }) => id)
  useEffect(() => ids && rememberItems(scope.name, ids), [page.data])
  usePageKeys([
    { key: 'j', what: 'Next item', run: () => moveToRow(1) },
    { key: 'k', what: 'Previous item', run: () => moveToRow(-1) },
    { key: 'x', what: 'Select the item', run: pickRow },
  ])
  return (
    <>
      <Examined scope={scope} />
      <Loaded resource={page}>
        {() =>
          written.length === 0 ? (
            <NoItems scope={scope} />
          ) : (
            <>
              {isBest(scope.view) && !page.isOld && <Found scope={scope} page={page.data} items={written.length} />}
              <NewItems scope={scope} rows={written} onShow={page.reload} />
              <ItemTable
                scope={scope}
                rows={written}
                columns={columns}
                picked={picked}
                onPick={pick}
                onWritten={setWritten}
              />
            </>
          )
        }
      </Loaded>
      {page.data && <Picked scope={scope} rows={written} picked={picked} total={total} onPick={pick} />}
      {page.data && !isBest(scope.view) && <PageFoot scope={scope} page={page.data} total={total} />}
    </>
  )
}

type FoundProps = { scope: ItemsScope; page: ItemRows | undefined; items: number }

function Found({ scope: { indexes, view }, page, items }: FoundProps) {
  const how = canSearch(indexes) ? `with ${whichWords(view)}, best first` : 'with this alias or id'
  return (
    <p class="pad muted" role="status">
      {items < mostFound ? countOf(items, 'item') : `The best ${items} items`} {how}.
      {page?.isTruncated &&
        ' Too many items have these words to check them all: better matches could be missing. Add a word to narrow the search.'}
    </p>
  )
}
/** The words of a search that must match, as text. */
const whichWords = ({ match }: ItemsScope['view']) => (match === 'all' ? 'all of these words' : 'any of these words')
/** Items that a search returns at most. */
const mostFound = 10

/** The progress of a view for which the service examines items one by one. */
function Examined({ scope: { list } }: { scope: ItemsScope }) {
  if (examined.value === 0) return null
  return (
    <p class="pad muted" role="status">
      Searching … {count(examined.value)} of {countOf(itemsIn(list), 'item')}
    </p>
  )
}

/** The ids of the selected items. The selection applies to the current page only. */
function usePicked({ data }: Resource<ItemRows>): [ReadonlySet<string>, (ids: ReadonlySet<string>) => void] {
  const [picked, pick] = useState<{ of: ItemRows | undefined; ids: ReadonlySet<string> }>({ of: undefined, ids: none })
  return [picked.of === data ? picked.ids : none, (ids) => pick({ of: data, ids })]
}
const none: ReadonlySet<string> = new Set()

/** The items of the page, including edits in their cells since it was read. Edited items keep their places. */
function useWritten({ data }: Resource<ItemRows>): [readonly ItemRow[], (row: ItemRow) => void] {
  const [since, setSince] = useState<{ of: ItemRows | undefined; rows: readonly ItemRow[] }>({
    of: undefined,
    rows: [],
  })
  const rows = since.of === data ? since.rows : (data?.rows ?? [])
  const latest = useRef(rows)
  latest.current = rows
  return [rows, (row) => setSince({ of: data, rows: latest.current.map((one) => (one.id === row.id ? row : one)) })]
}

const links = () => [...document.querySelectorAll<HTMLElement>('.items .lead a')]

/** Moves the focus to the next or previous item; Enter opens it. */
function moveToRow(step: 1 | -1): void {
  const all = links()
  const at = all.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function pickRow(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
}

function NoItems({ scope: { name, view, show, list, indexes } }: { scope: ItemsScope }) {
  if (view.after !== null) {
    return (
      <Empty
        title="There is nothing on this page"
        action={<Button onPress={() => show({})}>Go to the first page</Button>}
      >
        The items after this point were deleted, or no longer match.
      </Empty>
    )
  }
  if (isBest(view)) {
    return (
      <Empty
        title={`No item has ${canSearch(indexes) ? whichWords(view) : 'this alias or id'}`}
        action={<Button onPress={() => show({ search: null })}>Clear the search</Button>}
      >
        {canSearch(indexes)
          ? 'Words are compared in the values of the searched indexes, ignoring case and accents. Alias and id must match as a whole.'
          : 'To search for words, turn on search for an index of the list.'}
      </Empty>
    )
  }
  if (isFiltered(view)) {
    return (
      <Empty
        title="No item matches"
        action={<Button onPress={() => show({ filters: [], search: null })}>Remove the filters</Button>}
      >
        Texts are compared ignoring case. An item must meet all conditions.
      </Empty>
    )
  }
  return (
    <Empty
      title={`${list.name || list.pathName} has no items yet`}
      action={
        <div class="row">
          <LinkButton to={route`/lists/${name}/new-item`}>Add the first item</LinkButton>
          <LinkButton to={route`/lists/${name}/import`} icon="import">
            Import a file
          </LinkButton>
        </div>
      }
      command={`listd items import items.ndjson --list ${list.pathName}`}
    >
      Items are any JSON{list.schema ? ' that matches the schema of the list' : ''}. An index lets you filter, order or
      address items by one of their values.
    </Empty>
  )
}
