type PickProps = {
  label: string
  value: string
  onValue: (value: string) => void
  /** Values and their words. */
  choices: readonly (readonly [string, string])[]
}

/** One of several, such as a filter of a bar: its words say what it is, its label those who do not see where it stands. */
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
