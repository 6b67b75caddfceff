import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { isOptional, type Place, useForm, usePlace } from './form-scope.ts'
import { type ControlIds, PlaceRow } from './place-row.tsx'
import { numberText } from './rules/edits.ts'
import type { Field } from './rules/field.ts'

export type PlaceProps = { place: Place; field: Field }

/** What a text field shows: a string without its quotes, a number by its digits; '' for nothing. */
export function shownText(text: string | undefined): string {
  if (text === undefined || text === 'null') return ''
  return text.startsWith('"') ? (JSON.parse(text) as string) : text
}

/** The placeholder of an empty field: it distinguishes a missing value, null and an empty text. */
export function emptyWords(text: string | undefined): string {
  if (text === undefined) return 'not set'
  return text === 'null' ? 'null' : 'empty'
}

/** A text. If it may have several lines, the field grows with them. */
export function TextPlace({ place, field, onEnter }: PlaceProps & { onEnter?: (() => void) | undefined }) {
  const { put, remove } = usePlace(place)
  const { text } = place
  const { shape, schema } = field
  const shown = shownText(text)
  const type = (typed: string) => (typed === '' && isOptional(place) ? remove() : put(JSON.stringify(typed)))
  const isLong = (shape.kind === 'text' && shape.isLong) || shown.includes('\n')
  const shared = { value: shown, placeholder: emptyWords(text), autocomplete: 'off' }
  const control = (ids: ControlIds) =>
    isLong ? (
      <GrowingText ids={ids} {...shared} onText={type} onEnter={onEnter} />
    ) : (
      <input
        {...ids}
        {...shared}
        class="input"
        inputMode={inputModes[String(schema.format)]}
        onKeyDown={(event) => enters(event, onEnter)}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    )
  return <PlaceRow place={place} field={field} control={control} />
}

const inputModes: Readonly<Record<string, 'email' | 'url'>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  iri: 'url',
}

function enters(event: KeyboardEvent, onEnter: (() => void) | undefined): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !onEnter) return
  event.preventDefault()
  onEnter()
}

type GrowingTextProps = {
  ids: ControlIds
  value: string
  placeholder?: string
  isCode?: boolean
  onText: (typed: string) => void
  onEnter?: (() => void) | undefined
  onBlur?: () => void
}

/** A text area that grows with its lines. */
export function GrowingText({ ids, value, placeholder, isCode = false, onText, onEnter, onBlur }: GrowingTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (area.current && !CSS.supports('field-sizing', 'content')) fitHeight(area.current)
  }, [value])
  return (
    <textarea
      {...ids}
      ref={area}
      class={isCode ? 'input growing mono' : 'input growing'}
      rows={1}
      value={value}
      placeholder={placeholder}
      spellcheck={isCode ? false : undefined}
      onKeyDown={(event) => enters(event, onEnter)}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onBlur={onBlur}
    />
  )
}

/** Fits the height to the text, for browsers without `field-sizing`. */
function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight + 2}px`
}

/** A number. It is edited as a text, so that it keeps every digit that was typed. */
export function NumberPlace({ place, field }: PlaceProps) {
  const { put, remove } = usePlace(place)
  const type = (typed: string) => (typed.trim() === '' && !place.isElement ? remove() : put(numberText(typed)))
  const control = (ids: ControlIds) => (
    <input
      {...ids}
      class="input mono number"
      inputMode="decimal"
      autocomplete="off"
      value={shownText(place.text)}
      placeholder={emptyWords(place.text)}
      onInput={({ currentTarget }) => type(currentTarget.value)}
    />
  )
  return <PlaceRow place={place} field={field} control={control} />
}

/**
 * A JSON editor, for values that no field fits. Input becomes the value as soon as it is valid JSON, and is held until then.
 * @param props.errorIn returns why a text is not valid JSON; null: it is valid
 */
export function JsonPlace({ place, field, errorIn }: PlaceProps & { errorIn: (text: string) => string | null }) {
  const { put, remove } = usePlace(place)
  const { hold, held } = useForm()
  const [typed, setTyped] = useState<string | null>(null)
  const waiting = held(place.pointer)
  const shown = typed ?? waiting?.text ?? (place.text === undefined ? '' : layOut(place.text))
  const type = (text: string) => {
    setTyped(text)
    const isEmpty = text.trim() === ''
    const error = isEmpty ? (isOptional(place) ? null : 'is empty: it must be JSON') : errorIn(text)
    hold(place.pointer, error === null ? null : { text, message: error })
    if (error !== null) return
    if (!isEmpty) put(compact(text))
    else if (place.text !== undefined) remove()
  }
  const control = (ids: ControlIds) => (
    <GrowingText
      ids={ids}
      value={shown}
      placeholder={emptyWords(place.text)}
      isCode
      onText={type}
      onBlur={() => !waiting && setTyped(null)}
    />
  )
  return <PlaceRow place={place} field={field} control={control} note="Edited as JSON." />
}
