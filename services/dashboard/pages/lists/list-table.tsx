import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { hrefOf } from '../../address/location.ts'
import { Pill } from '../../parts/display/marks.tsx'
import { Figure, Table } from '../../parts/display/table.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { PinButton } from './pin-button.tsx'

type ListTableProps = {
  lists: readonly List[]
  /** Whether to group the lists by scope, if there are several. Pinned lists are first in each group. */
  grouped?: boolean
  /** By list id: the last change of the list, its items or its indexes. Without it, the last change of the settings is shown. */
  changedAt?: ReadonlyMap<string, string>
}

/** Lists as rows, each a link. */
export function ListTable({ lists, grouped = false, changedAt }: ListTableProps) {
  const changed = changedAt ? 'changed' : 'settings changed'
  const scopes = Map.groupBy(lists, ({ scope }) => (grouped ? scope : null))
  const names = [...scopes.keys()].sort((a, b) => (a ?? '').localeCompare(b ?? ''))
  return (
    <Table columns={['list', 'path name', { figures: 'items' }, 'about', 'scope', changed, { unseen: 'pin' }]}>
      {names.map((scope) => (
        <tbody key={scope ?? ''}>
          {names.length > 1 && (
            <tr class="group">
              <th colSpan={7} scope="rowgroup">
                {scope === null ? 'Without a scope' : `Managed by ${scope}`}
              </th>
            </tr>
          )}
          {inOrder(scopes.get(scope) ?? [], grouped).map((list) => (
            <ListRow key={list.id} list={list} changedAt={changedAt?.get(list.id) ?? list.updatedAt} />
          ))}
        </tbody>
      ))}
    </Table>
  )
}

const inOrder = (lists: readonly List[], pinnedFirst: boolean) =>
  pinnedFirst ? lists.toSorted((a, b) => Number(b.pinned) - Number(a.pinned)) : lists

function ListRow({ list, changedAt }: { list: List; changedAt: string }) {
  return (
    <tr>
      <td class="lead">
        <a href={hrefOf(route`/lists/${list.pathName}`)}>{list.name || list.pathName}</a>
      </td>
      <td class="mono muted under">{list.pathName}</td>
      <Figure n={list.itemCount} one="item" />
      <td class="optional">
        <ListMarks list={list} />
      </td>
      <td class="optional">{list.scope ? <Pill tone="accent">{list.scope}</Pill> : <span class="muted">–</span>}</td>
      <td class="muted when">
        <Ago at={changedAt} />
      </td>
      <td class="act">
        <PinButton list={list} />
      </td>
    </tr>
  )
}

/** Marks for the special properties of a list. */
export function ListMarks({ list }: { list: List }) {
  return (
    <span class="row">
      {list.schema && <Pill icon="schema">schema</Pill>}
      {list.readonly && <Pill icon="lock">readonly</Pill>}
      {list.protected && <Pill icon="lock">protected</Pill>}
      {list.realtime && <Pill>realtime</Pill>}
      {list.generative && <Pill>generative</Pill>}
      {!list.indexable && <Pill icon="lock">not listed to tokens</Pill>}
      {!list.activated && <Pill tone="warn">switched off</Pill>}
    </span>
  )
}
