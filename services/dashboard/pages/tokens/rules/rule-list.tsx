import { useState } from 'preact/hooks'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Menu, MenuItem } from '#services/dashboard/parts/controls/menu.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { listsOfConditions } from '#shared/domain/item-rules/rule-indexes.ts'
import { maxPermissionRules } from '#shared/domain/limits.ts'
import type { Known } from '../effect/known.ts'
import { toListIndexes, useIndexesOf } from '../effect/list-indexes.ts'
import { findingsOf } from '../lint.ts'
import { templates } from '../templates.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleRow } from './rule-row.tsx'

type RuleListProps = {
  rules: readonly PermissionRule[]
  known: Known
  /** The rule that decided in the selected cell of the grid. */
  marked: number | null
  onChange: (rules: readonly PermissionRule[]) => void
}

/** Rules as rows, in their order, with their problems below. */
export function RuleList({ rules, known, marked, onChange }: RuleListProps) {
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const [moved, setMoved] = useState('')
  const move = (from: number, to: number) => {
    const rule = rules[from]
    if (!rule || to < 0 || to >= rules.length || from === to) return
    onChange(rules.toSpliced(from, 1).toSpliced(to, 0, rule))
    setMoved(`Rule ${from + 1} is now rule ${to + 1}.`)
  }
  const remove = (n: number) => {
    onChange(rules.toSpliced(n, 1))
    announce(`Rule ${n + 1} was removed.`, { undo: () => onChange(rules) })
  }
  const put = (some: readonly PermissionRule[]) => {
    onChange(edited === 'new' ? [...rules, ...some] : rules.toSpliced(edited ?? 0, 1, ...some))
    setEdited(null)
  }
  return (
    <section class="wrap rules-part" aria-label="Rules">
      <p class="muted">
        Read from the bottom: the last rule that matches decides. Calls that no rule matches are rejected.
      </p>
      <ol class="rules" aria-label="Rules in order">
        {rules.map((rule, n) => (
          <RuleRow
            key={n}
            rule={rule}
            n={n}
            move={move}
            lists={known.lists}
            isMarked={n === marked}
            onEdit={() => setEdited(n)}
            onRemove={() => remove(n)}
          />
        ))}
      </ol>
      <span class="unseen" role="status">
        {moved}
      </span>
      <div class="row">
        <Button icon="add" disabled={rules.length >= maxPermissionRules} onPress={() => setEdited('new')}>
          Add rules…
        </Button>
        <FromTemplate onRules={(more) => onChange([...rules, ...more])} />
      </div>
      <Findings rules={rules} known={known} />
      {edited !== null && (
        <RuleDialog
          rule={edited === 'new' ? undefined : rules[edited]}
          known={known}
          onPut={put}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

function FromTemplate({ onRules }: { onRules: (rules: readonly PermissionRule[]) => void }) {
  return (
    <Menu label="From a template" kind="quiet">
      {templates.map(({ name, rules }) => (
        <MenuItem key={name} onPress={() => onRules(rules(undefined))}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}

function Findings({ rules, known }: Pick<RuleListProps, 'rules' | 'known'>) {
  const indexes = useIndexesOf(listsOfConditions(rules))
  return (
    <div class="stack" role="status">
      {findingsOf(rules, known.gone, (id) => indexes.data && toListIndexes(indexes.data, id)).map(
        ({ rules: some, text }) => (
          <Note key={`${some} ${text}`} tone="warn">
            {some.length > 0 && <b>{`Rule${some.length > 1 ? 's' : ''} ${some.map((n) => n + 1).join(', ')}`} </b>}
            {text}
          </Note>
        ),
      )}
    </div>
  )
}
