import { useState } from 'preact/hooks'
import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { inUnit, toSeconds, type Unit, units } from './duration.ts'

type DurationFieldProps = {
  label: string
  help?: string
  seconds: number
  problem: string | undefined
  onSeconds: (seconds: number) => void
}

/** A duration as a number and a unit. Text that is not a number is sent as 0, and the server reports the error. */
export function DurationField({ label, help, seconds, problem, onSeconds }: DurationFieldProps) {
  const [text, setText] = useState(() => String(inUnit(seconds).value))
  const [unit, setUnit] = useState<Unit>(() => inUnit(seconds).unit)
  const set = (value: string, to: Unit) => {
    setText(value)
    setUnit(to)
    // The server rejects 0. Null would have another meaning.
    onSeconds(toSeconds(Number(value) || 0, to))
  }
  return (
    <div class="row choices duration">
      <TextField label={label} help={help} value={text} problem={problem} onValue={(value) => set(value, unit)} />
      <Choice
        label={`Unit of "${label}"`}
        value={unit}
        onValue={(to) => set(text, to)}
        choices={units.map(({ name }) => ({ value: name, label: `${name}s` }))}
      />
    </div>
  )
}
