import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { syntaxFinding } from '../draft-check.ts'
import type { Draft } from '../use-draft.ts'
import { chosenValue, type FormField, shownValue, withValue } from './form-fields.ts'

type FormViewProps = { draft: Draft; fields: readonly FormField[]; isReadonly: boolean }

/** Data as a form. What no field is for stays in the text. */
export function FormView({ draft, fields, isReadonly }: FormViewProps) {
  const { text, setText, findings } = draft
  if (syntaxFinding(text)) {
    return (
      <div class="pad">
        <Note tone="warn">The text is not JSON yet. Correct it first; then the form shows it.</Note>
      </div>
    )
  }
  const data = compact(text)
  const problemOf = (pointer: string) => findings.find((one) => one.pointer === pointer)?.message
  return (
    <div class="form pad fields">
      {fields.map((field) => (
        <ValueField
          key={field.key}
          field={field}
          data={data}
          isReadonly={isReadonly}
          problem={problemOf(field.pointer)}
          onData={(changed) => setText(layOut(changed))}
        />
      ))}
    </div>
  )
}

type ValueFieldProps = {
  field: FormField
  data: string
  isReadonly: boolean
  problem: string | undefined
  onData: (data: string) => void
}

function ValueField({ field, data, isReadonly, problem, onData }: ValueFieldProps) {
  const { label, help, kind, choices, isRequired } = field
  const shared = { label: isRequired ? label : `${label} (optional)`, help, problem, disabled: isReadonly }
  const change = (typed: string) => onData(withValue(data, field, typed))
  if (kind === 'choice' || kind === 'boolean') {
    const all = kind === 'boolean' ? ['true', 'false'] : choices
    const value = chosenValue(data, field)
    const shown = value === '' || all.includes(value) ? all : [...all, value]
    const options = ['', ...shown].map((one) => ({ value: one, label: one.replace(/^"(.*)"$/, '$1') || '–' }))
    return <Choice {...shared} value={value} choices={options} onValue={change} />
  }
  return (
    <TextField
      {...shared}
      mono={kind === 'number'}
      help={kind === 'date' ? (help ?? 'As in 2026-11-25.') : help}
      value={shownValue(data, field)}
      onValue={change}
      autocomplete="off"
    />
  )
}
