import { Icon } from '#services/dashboard/parts/controls/icon.tsx'
import { Menu, MenuItem } from '#services/dashboard/parts/controls/menu.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { conditionWordsOf } from '../condition-words.ts'
import type { KnownList } from '../effect/effect.ts'
import { pluralOf, whereOf } from '../words.ts'

type RuleRowProps = {
  rule: PermissionRule
  /** The position of the rule. */
  n: number
  lists: readonly KnownList[]
  isMarked: boolean
  move: (from: number, to: number) => void
  onEdit: () => void
  onRemove: () => void
}

/** The data type of a dragged rule: nothing else can be dropped. */
const dragged = 'application/x-listd-rule'

/** One rule. Its grip moves it, with the arrow keys or by dragging. */
export function RuleRow({ rule, n, lists, isMarked, move, onEdit, onRemove }: RuleRowProps) {
  const { mode, action, resourceType } = rule
  const conditions = conditionWordsOf(rule)
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    const grips = event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('.grip')
    move(n, n + step)
    grips?.[n + step]?.focus()
  }
  return (
    <li
      class={isMarked ? 'rule on' : 'rule'}
      aria-current={isMarked || undefined}
      onDragOver={(event) => event.dataTransfer?.types.includes(dragged) && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        move(Number(event.dataTransfer?.getData(dragged)), n)
      }}
    >
      <button
        type="button"
        class="button quiet bare grip"
        draggable
        aria-label={`Rule ${n + 1}: move it with the arrow keys`}
        onKeyDown={onKey}
        onDragStart={(event) => event.dataTransfer?.setData(dragged, String(n))}
      >
        <Icon name="grip" />
      </button>
      <span class="muted">{n + 1}</span>
      <Pill tone={mode === 'allow' ? 'good' : 'bad'}>{mode}</Pill>
      <span>
        <b>{pluralOf(resourceType)}</b> · {action === '*' ? 'every action' : action}
      </span>
      <span class="muted where">
        {whereOf(rule, lists)}
        {conditions !== null && <span class="only">{conditions}</span>}
      </span>
      <Menu label={`Change rule ${n + 1}`} icon="more" bare kind="quiet">
        <MenuItem onPress={onEdit}>Edit…</MenuItem>
        <MenuItem onPress={() => move(n, n - 1)}>Move up</MenuItem>
        <MenuItem onPress={() => move(n, n + 1)}>Move down</MenuItem>
        <MenuItem bad onPress={onRemove}>
          Remove
        </MenuItem>
      </Menu>
    </li>
  )
}
