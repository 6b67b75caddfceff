import { useId } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Menu, MenuItem } from '#services/dashboard/parts/controls/menu.tsx'
import { asksForAny, type FilterField, operatorsOf } from '../../items/view/filters.ts'
import { type ConditionRow, callerValuesFor, readRows } from './condition-rows.ts'
import type { ConditionsDraft } from './rule-draft.ts'

type ConditionsProps = {
  legend: string
  help: string
  fields: readonly FilterField[]
  conditions: ConditionsDraft
  onChange: (conditions: ConditionsDraft) => void
}

/** Conditions that must all be met, a row for each. A condition that a row cannot show is edited as JSON. */
export function Conditions({ legend, help, fields, conditions, onChange }: ConditionsProps) {
  const helpId = useId()
  const rows = conditions.rows ?? readRows(conditions.stored ?? {}, fields)
  const change = (edited: readonly ConditionRow[]) => onChange({ ...conditions, rows: edited })
  const [first] = fields.filter(({ problem }) => problem === undefined)
  return (
    <fieldset class="conditions" aria-describedby={helpId}>
      <legend>{legend}</legend>
      <small id={helpId}>{help}</small>
      {rows.map((row, n) => (
        <Row
          key={n}
          n={n}
          row={row}
          fields={fields}
          onRow={(edited) => change(rows.with(n, edited))}
          onRemove={() => change(rows.toSpliced(n, 1))}
        />
      ))}
      <div class="row">
        {first && (
          <Button icon="add" onPress={() => change([...rows, emptyRow(first)])}>
            Add a condition
          </Button>
        )}
        <Button kind="quiet" onPress={() => change([...rows, { kind: 'json', text: '{"or": []}' }])}>
          Add “or”, as JSON
        </Button>
      </div>
    </fieldset>
  )
}

function emptyRow(field: FilterField): ConditionRow {
  const operators = operatorsOf(field)
  // For texts, compare the whole value: an index can find it.
  const operator = operators.find(({ name }) => name === 'is') ?? operators[0]
  return { kind: 'filter', field, filter: { field: field.name, operator: operator?.name ?? '', value: '' } }
}

type RowProps = {
  row: ConditionRow
  n: number
  fields: readonly FilterField[]
  onRow: (row: ConditionRow) => void
  onRemove: () => void
}

function Row({ row, n, fields, onRow, onRemove }: RowProps) {
  return (
    <div class="condition" role="group" aria-label={`Condition ${n + 1}`}>
      {row.kind === 'json' ? (
        <TextField
          label={`Condition ${n + 1}, as JSON`}
          mono
          lines={2}
          value={row.text}
          onValue={(text) => onRow({ kind: 'json', text })}
        />
      ) : (
        <FilterControls row={row} fields={fields} onRow={onRow} />
      )}
      <Button kind="quiet" icon="close" label={`Remove condition ${n + 1}`} onPress={onRemove} />
    </div>
  )
}

type FilterControlsProps = {
  row: Extract<ConditionRow, { kind: 'filter' }>
  fields: readonly FilterField[]
  onRow: (row: ConditionRow) => void
}

function FilterControls({ row, fields, onRow }: FilterControlsProps) {
  const { field, filter } = row
  const edit = (more: Partial<typeof filter>) => onRow({ ...row, filter: { ...filter, ...more } })
  const values = callerValuesFor(field, filter.operator)
  const offered = fields.some(({ name }) => name === field.name) ? fields : [...fields, field]
  const choose = (name: string) => {
    const chosen = offered.find((one) => one.name === name)
    if (chosen) onRow(chosen.kind === field.kind ? { ...row, field: chosen } : emptyRow(chosen))
  }
  return (
    <>
      <Choice
        label="Field"
        value={field.name}
        onValue={choose}
        choices={offered.map(({ name, label, problem }) => ({
          value: name,
          label: problem === undefined ? label : `${label} (${problem})`,
          disabled: problem !== undefined,
        }))}
      />
      <Choice
        label="How"
        value={filter.operator}
        onValue={(operator) => edit({ operator })}
        choices={operatorsOf(field).map(({ name, words }) => ({ value: name, label: words }))}
      />
      {!asksForAny(filter.operator) && (
        <TextField label="Value" autocomplete="off" mono value={filter.value} onValue={(value) => edit({ value })} />
      )}
      {values.length > 0 && (
        <Menu label="Value of the caller" kind="quiet">
          {values.map((value) => (
            <MenuItem key={value} onPress={() => edit({ value })}>
              {value}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
