import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { Menu, MenuItem } from '../../parts/controls/menu.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { useIndexes } from '../lists/list-indexes.ts'
import { ListPage } from '../lists/list-page.tsx'
import { referencedList } from '../references/referenced-list.ts'
import { useIndexLists } from '../references/use-index-lists.ts'
import { ItemsResult } from './items-result.tsx'
import { columnsOf, shownColumns, withReferences } from './table/columns.ts'
import { useItemRows } from './use-items.ts'
import { type ItemsScope, scopeOf } from './view/items-scope.ts'
import type { ViewProblem } from './view/view.ts'
import { ViewBar } from './view-bar.tsx'

/** The items of a list. The address contains the whole view. */
export function ItemsPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Items" actions={() => <Actions list={name} />}>
      {(list) => <ItemsOfList name={name} list={list} />}
    </ListPage>
  )
}

/** Links to the pages that create, import and export items. The export has the filters of the view. */
function Actions({ list }: { list: string }) {
  return (
    <>
      <Menu label="Import and export" icon="more" bare kind="quiet">
        <MenuItem icon="import" to={route`/lists/${list}/import`}>
          Import items…
        </MenuItem>
        <MenuItem
          icon="export"
          to={withQuery({ path: route`/lists/${list}/export`, query: here.value.query }, { after: null })}
        >
          Export items…
        </MenuItem>
      </Menu>
      <LinkButton to={route`/lists/${list}/new-item`} kind="primary" icon="add">
        Add item
      </LinkButton>
    </>
  )
}

function ItemsOfList({ name, list }: { name: string; list: List }) {
  const indexes = useIndexes(name)
  if (!indexes.data) return <Loaded resource={indexes}>{() => null}</Loaded>
  return <ItemsOfView {...scopeOf({ name, list, indexes: indexes.data, query: here.value.query })} />
}

function ItemsOfView({ scope, problems }: { scope: ItemsScope; problems: readonly ViewProblem[] }) {
  const page = useItemRows(scope, problems.length === 0)
  const rows = page.data?.rows ?? []
  const all = columnsOf(scope.indexes, rows)
  const { schema } = scope.list
  const ofIndexes = useIndexLists(scope.indexes)
  const columns = withReferences(
    shownColumns(scope.view.columns, all, rows),
    (pointer) => referencedList(schema, pointer) ?? ofIndexes.get(pointer) ?? null,
  )
  return (
    <>
      <ViewBar scope={scope} columns={columns} all={all} />
      {problems.length > 0 ? (
        <Problems problems={problems} />
      ) : (
        <ItemsResult scope={scope} page={page} columns={columns} />
      )}
    </>
  )
}

/** The errors of an address. No items are shown: without the invalid conditions there would be more than requested. */
function Problems({ problems }: { problems: readonly ViewProblem[] }) {
  const leaveOut = () => {
    const query = new URLSearchParams(here.value.query)
    for (const { parameter } of problems) query.delete(parameter)
    navigate(here.value.path + (query.size > 0 ? `?${query}` : ''))
  }
  return (
    <div class="pad">
      <Note tone="warn">
        <b>This address cannot be shown.</b>
        <div role="alert">
          <ul>
            {problems.map(({ parameter, message }) => (
              <li key={`${parameter} ${message}`}>
                <code>{parameter}</code> {message}
              </li>
            ))}
          </ul>
        </div>
        <div class="row">
          <Button onPress={leaveOut}>Leave {problems.length > 1 ? 'them' : 'it'} out</Button>
        </div>
      </Note>
    </div>
  )
}
