import { route } from '#client/src/transport.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { Menu } from '../../parts/controls/menu.tsx'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { dateWords } from '../../parts/display/dates.ts'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import type { Column } from './table/columns.ts'
import { ColumnsMenu } from './table/columns-menu.tsx'
import { OrderMenu } from './table/order-menu.tsx'
import { FilterForm } from './view/filter-form.tsx'
import { type Filter, wordsOf } from './view/filters.ts'
import { pageCall } from './view/items-request.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { hasWords, namedView } from './view/named.ts'
import { SearchBox } from './view/search-box.tsx'
import { isBest, viewQuery } from './view/view.ts'

const addFilterId = 'add-filter'

type ViewBarProps = { scope: ItemsScope; columns: readonly Column[]; all: readonly Column[] }

/** The search, filters and order of a view, with the request for its items. */
export function ViewBar({ scope, columns, all }: ViewBarProps) {
  const { list, view, askable, indexes, show } = scope
  const isNamed = isBest(view) && !hasWords(indexes, `${view.search}`)
  const asked = (isNamed && namedView(indexes, `${view.search}`)) || view
  return (
    <div class="bar items-bar">
      <SearchBox scope={scope} />
      {view.search !== null && (
        <Button kind="quiet" onPress={() => show({ search: null })}>
          Clear the search
        </Button>
      )}
      <Filters scope={scope} />
      <div class="grow" />
      {!isBest(view) && <OrderMenu scope={scope} columns={columns} />}
      <ColumnsMenu scope={scope} columns={columns} all={all} />
      <LinkButton to={exportOf(scope)} kind="quiet" icon="export" name="Export">
        Export
      </LinkButton>
      <CopyAs call={pageCall(list.pathName, asked, askable.fields)} />
    </div>
  )
}

function Filters({ scope }: { scope: ItemsScope }) {
  const { view, askable, show } = scope
  const { filters } = view
  usePageKeys([{ key: '/', what: 'Filter', run: () => document.getElementById(addFilterId)?.togglePopover(true) }])
  return (
    <>
      {filters.map((filter, n) => (
        <Chip
          key={`${n} ${filter.field} ${filter.operator} ${filter.value}`}
          scope={scope}
          filter={filter}
          onChange={(changed) => show({ filters: changed ? filters.with(n, changed) : filters.toSpliced(n, 1) })}
        />
      ))}
      <Menu label="Filter" icon="add" kind="quiet" id={addFilterId}>
        <FilterForm
          key={filters.length}
          list={scope.name}
          fields={askable.fields}
          onApply={(filter) => show({ filters: [...filters, filter] })}
        />
      </Menu>
    </>
  )
}

/** The address of the page that exports all items of the view to a file. */
function exportOf({ name, view, askable }: ItemsScope): string {
  const query = viewQuery({ ...view, columns: null, after: null }, askable)
  return route`/lists/${name}/export` + (query && `?${query}`)
}

type ChipProps = { scope: ItemsScope; filter: Filter; onChange: (filter: Filter | null) => void }

function Chip({ scope: { name: list, askable }, filter, onChange }: ChipProps) {
  const field = askable.fields.find(({ name }) => name === filter.field)
  if (!field) return null
  const words = wordsOf(field, filter)
  const value = (field.kind === 'date' && dateWords(filter.value)) || filter.value
  return (
    <span class="chip">
      <Menu
        label={`${field.label} ${words} ${value}`}
        inside={
          <>
            <b>{field.label}</b> <span class="muted">{words}</span> {value}
          </>
        }
      >
        <FilterForm list={list} fields={askable.fields} filter={filter} onApply={onChange} />
      </Menu>
      <Button kind="quiet" icon="close" label={`Remove the filter on ${field.label}`} onPress={() => onChange(null)} />
    </span>
  )
}
