import { useState } from 'preact/hooks'
import { useForm, usePlace } from './form-scope.ts'
import { type ControlIds, PlaceRow } from './place-row.tsx'
import { fromLocalTime, isDay, joinTime, splitTime, toLocalTime, zoneAt } from './rules/times.ts'
import { emptyWords, type PlaceProps, shownText, TextPlace } from './text-controls.tsx'

/** A date, with the browser's picker. */
export function DayPlace({ place, field }: PlaceProps) {
  const shown = shownText(place.text)
  if (shown !== '' && !isDay(shown)) return <TextPlace place={place} field={field} />
  return (
    <PickerPlace
      place={place}
      field={field}
      type="date"
      shown={shown}
      toText={(picked) => (isDay(picked) ? picked : null)}
    />
  )
}

/** A time of day, which keeps its offset. */
export function TimePlace({ place, field }: PlaceProps) {
  const text = shownText(place.text)
  const parts = splitTime(text)
  if (text !== '' && !parts) return <TextPlace place={place} field={field} />
  const offset = parts?.offset ?? ''
  const note = /^(|z)$/i.test(offset) ? 'The time is in UTC.' : `The time is at UTC${offset}.`
  return (
    <PickerPlace
      place={place}
      field={field}
      type="time"
      shown={parts?.time ?? ''}
      toText={(picked) => joinTime(picked, offset)}
      note={note}
    />
  )
}

/** An instant: picked in the viewer's time zone, and stored in UTC. */
export function InstantPlace({ place, field }: PlaceProps) {
  const text = shownText(place.text)
  const local = toLocalTime(text)
  if (text !== '' && local === null) return <TextPlace place={place} field={field} />
  const zone = zoneAt(text === '' ? Date.now() : Date.parse(text))
  return (
    <PickerPlace
      place={place}
      field={field}
      type="datetime-local"
      shown={local ?? ''}
      toText={fromLocalTime}
      note={
        <>
          {zone}
          {text !== '' && (
            <>
              {' · '}
              <span class="mono">{text}</span>
            </>
          )}
        </>
      }
    />
  )
}

type PickerProps = PlaceProps & {
  type: 'date' | 'time' | 'datetime-local'
  shown: string
  /** Converts the picker's value to the text to store; null: the value is not complete. */
  toText: (picked: string) => string | null
  note?: preact.ComponentChildren
}

/** A picker keeps its own state while it has the focus: half a date is not a value yet. */
function PickerPlace({ place, field, type, shown, toText, note }: PickerProps) {
  const { put, remove } = usePlace(place)
  const { hold } = useForm()
  const [picked, setPicked] = useState<string | null>(null)
  const holdPart = (isPart: boolean) => {
    hold(place.pointer, isPart ? { text: '', message: `is not complete yet` } : null)
  }
  const take = (value: string, isBad: boolean) => {
    const text = value === '' ? null : toText(value)
    // The browser reports the first digits of a year as a complete year; `toText` rejects it.
    const isPart = isBad || (value !== '' && text === null)
    setPicked(value)
    holdPart(isPart)
    if (text !== null) put(JSON.stringify(text))
    else if (!isPart && place.text !== undefined) place.isElement ? put('""') : remove()
  }
  const leave = (isPart: boolean) => {
    setPicked(null)
    // The field shows the stored value again: it is incomplete only if there is none.
    holdPart(isPart && shown === '')
  }
  const control = (ids: ControlIds) => (
    <input
      {...ids}
      class="input picker"
      type={type}
      step={/:\d\d:\d\d/.test(shown) ? 1 : undefined}
      value={picked ?? shown}
      onInput={({ currentTarget }) => take(currentTarget.value, currentTarget.validity.badInput)}
      onBlur={({ currentTarget }) => leave(currentTarget.validity.badInput)}
    />
  )
  const state = shown === '' && place.text !== undefined ? ` (${emptyWords(place.text)})` : ''
  return (
    <PlaceRow
      place={place}
      field={field}
      control={control}
      note={
        note || state ? (
          <>
            {note}
            {state}
          </>
        ) : undefined
      }
    />
  )
}
