import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { sentence } from '#services/dashboard/parts/display/text.tsx'
import { isOptional, type Place, useForm, usePlace } from './form-scope.ts'
import { boundsText } from './rules/bounds-text.ts'
import type { Field } from './rules/field.ts'
import { keywordErrors } from './rules/keyword-errors.ts'

/** Attributes that connect a control to its label, its help text and its errors. */
export type ControlIds = {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  'aria-required'?: true
  disabled: boolean
}

type PlaceRowProps = {
  place: Place
  field: Field
  control: (ids: ControlIds) => ComponentChildren
  /** `control` renders several controls that share the label. */
  isGroup?: boolean
  /** Shown below the control, after the schema's help text. */
  note?: ComponentChildren
}

/** A control with its label, the schema's help text, and its errors. */
export function PlaceRow({ place, field, control, isGroup = false, note }: PlaceRowProps) {
  const { isReadonly } = useForm()
  const id = useId()
  const problems = useProblems(place, field)
  // Elements of an array do not repeat the bounds: an error names them.
  const bounds = place.hidesLabel ? null : boundsText(field.schema, field.shape.kind)
  const help = [field.help, bounds].filter((text) => text !== null).map(sentence)
  const described = [help.length > 0 || note ? `${id}-help` : '', problems.length > 0 ? `${id}-problem` : '']
    .filter(Boolean)
    .join(' ')
  const ids: ControlIds = {
    id,
    disabled: isReadonly,
    ...(described ? { 'aria-describedby': described } : {}),
    ...(problems.length > 0 ? { 'aria-invalid': true as const } : {}),
    ...(place.isRequired && !isGroup ? { 'aria-required': true as const } : {}),
  }
  return (
    <div class="field place" data-pointer={place.pointer}>
      <div class={place.hidesLabel ? 'place-head bare' : 'place-head'}>
        <PlaceLabel place={place} id={id} isGroup={isGroup} />
      </div>
      {control(ids)}
      {(help.length > 0 || note) && (
        <small id={`${id}-help`}>
          {help.join(' ')} {note}
        </small>
      )}
      {problems.length > 0 && (
        <small id={`${id}-problem`} class="problem">
          {problems.map(sentence).join(' ')}
        </small>
      )}
      <PlaceActions place={place} field={field} />
    </div>
  )
}

type PlaceLabelProps = { place: Place; id: string; isGroup: boolean }

function PlaceLabel({ place: { label, hidesLabel, isRequired }, id, isGroup }: PlaceLabelProps) {
  const look = hidesLabel ? 'unseen' : 'place-label'
  return (
    <>
      {isGroup ? (
        <span id={`${id}-label`} class={look}>
          {label}
        </span>
      ) : (
        <label for={id} class={look}>
          {label}
        </label>
      )}
      {isRequired && !hidesLabel && <span class="muted small">required</span>}
    </>
  )
}

type PlaceActionsProps = { place: Place; field: Field; children?: ComponentChildren }

/** Buttons for the value of a place as a whole. They are next to its label; the keyboard reaches them after its controls. */
export function PlaceActions({ place, field, children }: PlaceActionsProps) {
  const { put, remove } = usePlace(place)
  const { hold, isReadonly, focusNext } = useForm()
  const { text, label } = place
  const isSet = text !== undefined
  const canBeNull = field.isNullable && field.shape.kind !== 'null' && text !== 'null'
  // The pressed button disappears: move the focus to the field.
  const set = (act: () => void) => {
    hold(place.pointer, null)
    act()
    focusNext(place.pointer)
  }
  if (isReadonly) return null
  return (
    <div class="place-actions">
      {canBeNull && (
        <Button kind="quiet" name={`Set ${label} to null`} onPress={() => set(() => put('null'))}>
          null
        </Button>
      )}
      {isSet && isOptional(place) && (
        <Button kind="quiet" icon="close" label={`Remove ${label}`} onPress={() => set(remove)} />
      )}
      {children}
    </div>
  )
}

/** The errors of a place: those that the page finds at each key, and those that the service reports a moment later. */
export function useProblems(place: Place, { schema }: Pick<Field, 'schema'>): string[] {
  const { isBinding, problemsAt, held } = useForm()
  const { pointer, text } = place
  const typed = held(pointer)
  if (typed) return [typed.message]
  const own = isBinding && text !== undefined && !/^[[{]/.test(text) ? keywordErrors(schema, JSON.parse(text)) : []
  const around = place.problem === undefined ? [] : [place.problem]
  return [...new Set([...around, ...own, ...problemsAt(pointer)])]
}
