import { isOptional, usePlace } from './form-scope.ts'
import { type ControlIds, PlaceRow } from './place-row.tsx'
import type { PlaceProps } from './text-controls.tsx'

/** A choice among the values that the schema allows. A present value that it does not allow is shown as well. */
export function ChoicePlace({ place, field }: PlaceProps) {
  const { put, remove } = usePlace(place)
  const { text } = place
  const choices = field.shape.kind === 'choice' ? field.shape.choices : []
  const known = choices.map((choice) => choice.text)
  const options = [
    ...(text === undefined || isOptional(place) ? [{ text: '', label: 'not set' }] : []),
    ...choices,
    ...(field.isNullable || text === 'null' ? [{ text: 'null', label: 'null' }] : []),
    ...(text === undefined || text === 'null' || known.includes(text)
      ? []
      : [{ text, label: text.replace(/^"(.*)"$/, '$1') }]),
  ]
  const control = (ids: ControlIds) => (
    <select {...ids} class="input" onChange={({ currentTarget: { value } }) => (value === '' ? remove() : put(value))}>
      {options.map((option) => (
        <option key={option.text} value={option.text} selected={option.text === (text ?? '')}>
          {option.label}
        </option>
      ))}
    </select>
  )
  return <PlaceRow place={place} field={{ ...field, isNullable: false }} control={control} />
}

/** Yes or no; neither is selected if there is no value. */
export function FlagPlace({ place, field }: PlaceProps) {
  const { put } = usePlace(place)
  const control = ({ id, disabled, ...described }: ControlIds) => (
    <div class="flags" role="radiogroup" aria-labelledby={`${id}-label`} {...described}>
      {(['true', 'false'] as const).map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={id}
            checked={place.text === value}
            disabled={disabled}
            onChange={() => put(value)}
          />
          {value === 'true' ? 'Yes' : 'No'}
        </label>
      ))}
      {place.text === 'null' && <span class="muted">null</span>}
      {place.text === undefined && <span class="muted">not set</span>}
    </div>
  )
  return <PlaceRow place={place} field={field} control={control} isGroup />
}

/** A place whose only allowed value is null. */
export function NullPlace({ place, field }: PlaceProps) {
  const { put, remove } = usePlace(place)
  const control = (ids: ControlIds) => (
    <select {...ids} class="input" onChange={({ currentTarget: { value } }) => (value === '' ? remove() : put(value))}>
      <option value="" selected={place.text === undefined}>
        not set
      </option>
      <option value="null" selected={place.text === 'null'}>
        null
      </option>
    </select>
  )
  return <PlaceRow place={place} field={field} control={control} />
}
