import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type FieldProps = {
  label: string
  /** The meaning of the field, or its format. */
  help?: ComponentChildren
  /** The error of the value, found by the server or before sending. */
  problem?: string | undefined
}

/** A label, its help or error, and the control, connected by ids. */
export function Field({
  label,
  help,
  problem,
  control,
}: FieldProps & {
  control: (ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren
}) {
  const id = useId()
  const described = help !== undefined || problem !== undefined ? { 'aria-describedby': `${id}-more` } : {}
  const invalid = problem === undefined ? {} : { 'aria-invalid': true as const }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({ id, ...described, ...invalid })}
      {(help !== undefined || problem !== undefined) && (
        <small id={`${id}-more`} class={problem === undefined ? undefined : 'problem'}>
          {problem ?? help}
        </small>
      )}
    </div>
  )
}

type TextFieldProps = FieldProps & {
  value: string
  onValue: (value: string) => void
  type?: 'text' | 'email' | 'password' | 'search'
  /** The number of lines of text. */
  lines?: number
  mono?: boolean
  placeholder?: string
  autocomplete?: string
  autofocus?: boolean
  required?: boolean
  disabled?: boolean | undefined
}

export function TextField({
  label,
  help,
  problem,
  onValue,
  lines,
  mono,
  type = 'text',
  autofocus,
  ...rest
}: TextFieldProps) {
  const shared = {
    ...rest,
    // Preact's types need to know the element.
    type: type as 'text',
    class: mono ? 'input mono' : 'input',
    spellcheck: mono || type !== 'text' ? false : undefined,
    // Dialogs use the attribute to move the focus when they open.
    autofocus,
    ref: autofocus ? focusOnce : null,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  }
  const control = (ids: object) =>
    lines ? <textarea {...ids} {...shared} rows={lines} /> : <input {...ids} {...shared} />
  return <Field label={label} help={help} problem={problem} control={control} />
}

function focusOnce(element: HTMLElement | null): void {
  if (element && !element.dataset.focused) {
    element.dataset.focused = 'true'
    element.focus()
  }
}

type ChoiceProps<V extends string> = FieldProps & {
  value: V
  onValue: (value: V) => void
  choices: readonly { value: V; label: string; disabled?: boolean }[]
  disabled?: boolean
  /** Whether it gets the focus when its dialog opens. */
  autofocus?: boolean
}

/** A choice of one of several values, as a native select. */
export function Choice<V extends string>({ label, help, problem, value, onValue, choices, ...rest }: ChoiceProps<V>) {
  const control = (ids: object) => (
    <select
      {...ids}
      class="input"
      disabled={rest.disabled}
      autofocus={rest.autofocus}
      onChange={({ currentTarget }) => onValue(currentTarget.value as V)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
  return <Field label={label} help={help} problem={problem} control={control} />
}

type SwitchProps = {
  label: string
  help?: ComponentChildren
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean | undefined
}

/** A choice between on and off. */
export function Switch({ label, help, on, onChange, disabled }: SwitchProps) {
  const id = useId()
  const described = help === undefined ? {} : { 'aria-describedby': `${id}-more` }
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        checked={on}
        disabled={disabled}
        {...described}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {help !== undefined && <small id={`${id}-more`}>{help}</small>}
      </div>
    </div>
  )
}
