import { useRef, useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { Button, Link } from '#services/dashboard/parts/controls/button.tsx'
import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { itemFilters } from '#shared/domain/item/filters.ts'
import { daySpans, lastDaysFilter } from './day-filters.ts'
import {
  asksForAny,
  type Filter,
  type FilterField,
  type FilterKind,
  filterProblem,
  isContrary,
  operatorsOf,
} from './filters.ts'

type FilterFormProps = {
  /** The name of the list in the address. */
  list: string
  fields: readonly FilterField[]
  /** The condition to change; without one, a new one is created. */
  filter?: Filter
  onApply: (filter: Filter) => void
}

/** One condition: field, operator, value. Enter applies it. */
export function FilterForm({ list, fields, filter, onApply }: FilterFormProps) {
  const first = fields.find(({ problem }) => problem === undefined)
  const [draft, setDraft] = useState(filter ?? { field: first?.name ?? '', operator: '', value: '' })
  const [problem, setProblem] = useState<string>()
  const field = fields.find(({ name }) => name === draft.field)
  if (!field) return null
  const operators = operatorsOf(field)
  const operator = (operators.find(({ name }) => name === draft.operator) ?? operators[0])?.name ?? ''
  const value = asksForAny(operator) ? '' : valueIn(field.kind, draft.value)
  const form = useRef<HTMLFormElement>(null)
  const take = (created: Filter) => {
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover()
    onApply(created)
  }
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const created = { field: field.name, operator, value: value.trim() }
    const found = filterProblem(field, created)
    setProblem(found ? `${field.label} ${found}.` : undefined)
    if (!found) take(created)
  }
  return (
    <form ref={form} class="form" onSubmit={apply}>
      <Choice
        label="Field"
        value={field.name}
        onValue={(name) => setDraft({ ...draft, field: name })}
        choices={fields.map((one) => ({
          value: one.name,
          label: one.problem === undefined ? one.label : `${one.label} (${one.problem})`,
          disabled: one.problem !== undefined,
        }))}
      />
      {field.kind === 'date' && <DaySpans field={field} onApply={take} />}
      {operators.length > 1 && (
        <Choice
          label="How"
          help={howHelp(field, operator)}
          value={operator}
          onValue={(name) => setDraft({ ...draft, operator: name })}
          choices={operators.map(({ name, words }) => ({ value: name, label: words }))}
        />
      )}
      {!asksForAny(operator) && (
        <ValueField
          kind={field.kind}
          value={value}
          problem={problem}
          onValue={(text) => setDraft({ ...draft, value: text })}
        />
      )}
      <div class="ends">
        <Link to={`${route`/lists/${list}/indexes`}?new`}>Create an index…</Link>
        <div class="grow" />
        <Button sends>Apply</Button>
      </div>
    </form>
  )
}

/** Buttons for the usual spans of the last days. */
function DaySpans({ field, onApply }: { field: FilterField; onApply: (filter: Filter) => void }) {
  return (
    <div class="row">
      {daySpans.map(([label, days]) => (
        <Button key={label} onPress={() => onApply(lastDaysFilter(field, days, new Date()))}>
          {label}
        </Button>
      ))}
    </div>
  )
}

/** Describes how an operator treats items without a value, and arrays. */
function howHelp({ optional, pointer }: FilterField, operator: string): string | undefined {
  if (asksForAny(operator)) return undefined
  if (!isContrary(operator)) return pointer && 'One matching element of an array is enough.'
  return optional && `Items without a value are found too${pointer ? ', and arrays without a matching element' : ''}.`
}

const choicesOf: Partial<Record<FilterKind, readonly string[]>> = {
  flag: ['true', 'false'],
  activated: ['true', 'false', itemFilters.activated.both],
}

/** The value that the field shows: if only a few values are possible, one of these. */
function valueIn(kind: FilterKind, value: string): string {
  const choices = choicesOf[kind]
  return choices && !choices.includes(value) ? (choices[0] ?? '') : value
}

const helpOf: Partial<Record<FilterKind, string>> = {
  date: 'For example 2026-03-01 or 2026-03-01T10:00Z, in UTC.',
  tags: 'Separate several by commas; any of them matches.',
  id: 'The id of an identity.',
  where: 'Conditions with "or", "and" and "not", as JSON.',
}

type ValueFieldProps = {
  kind: FilterKind
  value: string
  problem: string | undefined
  onValue: (value: string) => void
}

function ValueField({ kind, ...rest }: ValueFieldProps) {
  const choices = choicesOf[kind]?.map((value) => ({ value, label: value }))
  if (choices) return <Choice label="Value" choices={choices} {...rest} />
  return <TextField label="Value" help={helpOf[kind]} autocomplete="off" mono={kind !== 'text'} {...rest} />
}
