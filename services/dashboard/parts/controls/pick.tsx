type PickProps = {
  label: string
  value: string
  onValue: (value: string) => void
  /** Values and their labels. */
  choices: readonly (readonly [string, string])[]
}

/** A choice of one of several values, such as a filter. The shown value says what it is; the label is for screen readers. */
export function Pick({ label, value, onValue, choices }: PickProps) {
  return (
    <select class="input pick" aria-label={label} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {choices.map(([one, words]) => (
        <option key={one} value={one} selected={one === value}>
          {words}
        </option>
      ))}
    </select>
  )
}
