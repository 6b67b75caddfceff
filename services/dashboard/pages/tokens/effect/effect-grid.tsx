import { useMemo, useState } from 'preact/hooks'
import { Choice } from '#services/dashboard/parts/controls/field.tsx'
import { Icon } from '#services/dashboard/parts/controls/icon.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { type AccessCall, accessCalls, type Subject } from '#shared/domain/access/calls.ts'
import { compilePermissions, type Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { ActingIdentity } from '#shared/domain/access/permissions.ts'
import { type Cell, cellOf, type EffectRow, groupRows, listRows, rowsFor, subjects } from './effect.ts'
import { Explained } from './explained.tsx'
import type { Known } from './known.ts'

type EffectGridProps = {
  rules: readonly PermissionRule[]
  known: Known
  /** Called with the rule that decided in the selected cell. */
  onDecided: (rule: number | null) => void
}

/** The effect of rules for each call and each list, computed like in the gateway. */
export function EffectGrid({ rules, known, onDecided }: EffectGridProps) {
  const [about, setAbout] = useState<Subject>('items')
  const [acting, setActing] = useState('nobody')
  const [looked, setLooked] = useState<{ call: AccessCall; row: string } | null>(null)
  const permissions = useMemo(() => compilePermissions(rules), [rules])
  const calls = accessCalls.filter((call) => call.about === about)
  const rows = rowsFor(about, { lists: listRows(known.lists, rules), groups: groupRows(known.groups) })
  const identity = actingOf(acting)
  const row = rows.find(({ name }) => name === looked?.row)
  const cell = looked && row && looked.call.about === about ? cellOf(permissions, looked.call, row, identity) : null
  const look = (call: AccessCall, { name }: EffectRow, { verdict }: Cell) => {
    setLooked({ call, row: name })
    onDecided(verdict.rule)
  }
  return (
    <aside class="stack" aria-label="What it may do">
      <h2>What it may do</h2>
      <div class="row choices">
        <Choice
          label="With"
          value={about}
          onValue={setAbout}
          choices={subjects.map((value) => ({ value, label: value }))}
        />
        <Choice label="Acting for" value={acting} onValue={setActing} choices={actingChoices(known.groups)} />
      </div>
      <GridTable permissions={permissions} calls={calls} rows={rows} acting={identity} looked={looked} onLook={look} />
      {cell && looked && row ? (
        <Explained
          rules={rules}
          call={looked.call}
          cell={cell}
          where={row.name}
          again={(others) => cellOf(others, looked.call, row, identity)}
        />
      ) : (
        <p class="muted">Press a cell to see which rule decided.</p>
      )}
    </aside>
  )
}

const actingChoices = (groups: readonly string[]) => [
  { value: 'nobody', label: 'nobody' },
  { value: '', label: 'an identity' },
  ...groups.map((group) => ({ value: `:${group}`, label: `an identity of ${group}` })),
]

/** The identity to act for: one that no rule names, in the chosen group. */
function actingOf(chosen: string): ActingIdentity | null {
  if (chosen === 'nobody') return null
  return { id: 'somebody', groupName: chosen.slice(1) || null }
}

type GridTableProps = {
  permissions: Permissions
  calls: readonly AccessCall[]
  rows: readonly EffectRow[]
  acting: ActingIdentity | null
  looked: { call: AccessCall; row: string } | null
  onLook: (call: AccessCall, row: EffectRow, cell: Cell) => void
}

const rowKind = (about: Subject | undefined) => (about === 'identities' ? 'group' : about === 'flows' ? 'flow' : 'list')

function GridTable({ permissions, calls, rows, acting, looked, onLook }: GridTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Effect of the rules">
      <table class="effect">
        <thead>
          <tr>
            <th>{rowKind(calls[0]?.about)}</th>
            {calls.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              {calls.map((call) => {
                const cell = cellOf(permissions, call, row, acting)
                const isLooked = looked?.call === call && looked.row === row.name
                return (
                  <td key={call.name}>
                    {cell && (
                      <CellButton
                        call={call}
                        row={row}
                        cell={cell}
                        isLooked={isLooked}
                        onPress={() => onLook(call, row, cell)}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type CellButtonProps = { call: AccessCall; row: EffectRow; cell: Cell; isLooked: boolean; onPress: () => void }

function CellButton({ call, row, cell: { state, namedItems }, isLooked, onPress }: CellButtonProps) {
  const named = namedItems > 0 ? `, except for ${countOf(namedItems, 'item')}` : ''
  const label = `${call.about}: ${call.name}, ${row.name}: ${state}${named}`
  return (
    <button type="button" class={state} aria-label={label} title={label} aria-pressed={isLooked} onClick={onPress}>
      {state === 'yes' ? <Icon name="done" /> : state === 'no' ? '–' : state}
      {namedItems > 0 && '*'}
    </button>
  )
}
