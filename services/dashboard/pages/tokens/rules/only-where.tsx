import type { ListdError } from '#client/src/error.ts'
import { TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Menu, MenuItem } from '#services/dashboard/parts/controls/menu.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { changeableFields } from '#shared/domain/access/rule-conditions.ts'
import type { IndexesOfLists } from '../effect/list-indexes.ts'
import { ruleFilterFields } from './condition-rows.ts'
import { Conditions } from './conditions.tsx'
import { conditionsIn, type RuleDraft, toLine } from './rule-draft.ts'

type OnlyWhereProps = {
  draft: RuleDraft
  /** The indexes of the rule's lists; undefined: they are being read. */
  indexes: IndexesOfLists | undefined
  error: ListdError | undefined
  edit: (more: Partial<RuleDraft>) => void
}

/** The conditions on the items of a rule, and the fields that an update may change. Only for rules about items of named lists. */
export function OnlyWhere({ draft, indexes, error, edit }: OnlyWhereProps) {
  const has = conditionsIn(draft)
  if (!has.where) return null
  const isNarrowed = draft.listIds.length > 0 && !draft.listIds.includes('*')
  if (!isNarrowed) return <Note>Choose lists to set conditions on their items.</Note>
  if (error) return <Problem error={error} />
  if (!indexes) return null
  const fields = ruleFilterFields([...indexes.values()])
  const isBlock = draft.mode === 'block'
  return (
    <>
      <Conditions
        legend="Only where"
        help={`The rule applies to items that meet all conditions. Without conditions, it applies to all items.`}
        fields={fields}
        conditions={draft.where}
        onChange={(where) => edit({ where })}
      />
      {has.updates && (
        <>
          <Conditions
            legend="Only where after the update"
            help="Without conditions, those above must hold before and after."
            fields={fields}
            conditions={draft.becomes}
            onChange={(becomes) => edit({ becomes })}
          />
          <OnlyFields
            label={isBlock ? 'Only if one of these fields is changed' : 'Only these fields'}
            pointers={fields.flatMap(({ pointer }) => pointer ?? [])}
            changes={draft.changes}
            onChanges={(changes) => edit({ changes })}
          />
        </>
      )}
    </>
  )
}

type OnlyFieldsProps = {
  label: string
  /** The pointers of the indexes. */
  pointers: readonly string[]
  changes: string
  onChanges: (changes: string) => void
}

function OnlyFields({ label, pointers, changes, onChanges }: OnlyFieldsProps) {
  const lines = changes.split('\n').filter((line) => line !== '')
  const offered = [...new Set([...pointers, ...changeableFields].map(toLine))].filter((one) => !lines.includes(one))
  return (
    <div class="stack">
      <TextField
        label={label}
        help={`One per line: JSON Pointers into the data, such as /title ("" is all of it), or ${changeableFields.join(', ')}. Leave empty for any.`}
        mono
        lines={3}
        value={changes}
        onValue={onChanges}
      />
      {offered.length > 0 && (
        <div class="row">
          <Menu label="Add a field" kind="quiet">
            {offered.map((one) => (
              <MenuItem key={one} onPress={() => onChanges([...lines, one].join('\n'))}>
                {one}
              </MenuItem>
            ))}
          </Menu>
        </div>
      )}
    </div>
  )
}
