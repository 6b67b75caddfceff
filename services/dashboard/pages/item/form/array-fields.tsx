import { useRef, useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { removeAt } from '#shared/json/edit/at-pointer.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { elementsOf } from '#shared/json/text/parts.ts'
import { type Place, useForm, usePlace } from './form-scope.ts'
import { Absent, Group } from './object-fields.tsx'
import { addElement, moveElement } from './rules/edits.ts'
import { fieldOf, type Shape } from './rules/field.ts'
import { firstElement, firstValue } from './rules/first-value.ts'
import { summaryOf } from './rules/summary.ts'
import type { PlaceProps } from './text-controls.tsx'

/** Elements shown at first, and with each press of "Show more". */
const mostElements = 50

/** The elements of an array, each with its field. Elements can be added, moved and removed. */
export function ArrayPlace({ place, field }: PlaceProps) {
  const { reader, focusNext } = useForm()
  const { put } = usePlace(place)
  const { text, label, pointer } = place
  const { shape } = field
  if (shape.kind !== 'array') return null
  if (text === undefined || text === 'null') {
    const begin = () => {
      const first = firstValue(reader, place.schema) ?? '[]'
      const isEmpty = first === '[]' && shape.most > 0
      put(isEmpty ? `[${firstElement(reader, shape.first[0] ?? shape.rest ?? {})}]` : first)
      focusNext(childPointer(pointer, 0))
    }
    return (
      <Absent place={place} field={field}>
        <Button icon="add" name={`Add ${label}`} onPress={begin}>
          Add
        </Button>
      </Absent>
    )
  }
  const elements = elementsOf(text)
  return (
    <Group place={place} field={field} count={countOf(elements.length, 'element')}>
      <Elements place={place} shape={shape} elements={elements} />
    </Group>
  )
}

type ArrayShape = Extract<Shape, { kind: 'array' }>
type ElementsProps = { place: Place; shape: ArrayShape; elements: readonly string[] }

function Elements({ place, shape, elements }: ElementsProps) {
  const { isReadonly, reader, change, focusNext } = useForm()
  const [most, setMost] = useState(mostElements)
  const [moved, setMoved] = useState('')
  const [added, setAdded] = useState(-1)
  const keys = useKeys(elements.length)
  const { pointer, label } = place
  const schemaOf = (n: number) => shape.first[n] ?? shape.rest ?? {}
  const end = elements.length
  const add = () => {
    change(pointer, (data) => addElement(data, pointer, firstElement(reader, schemaOf(end))))
    setMost(Math.max(most, end + 1))
    setAdded(end)
    focusNext(childPointer(pointer, end))
  }
  const move = (from: number, to: number) => {
    change(pointer, (data) => moveElement(data, pointer, from, to))
    keys.move(from, to)
    setMoved(`${label} ${from + 1} is now ${to + 1} of ${end}.`)
    focusNext(childPointer(pointer, to), `Move ${label} ${to + 1} ${to < from ? 'up' : 'down'}`)
  }
  const remove = (n: number) => {
    change(pointer, (data) => removeAt(data, childPointer(pointer, n)))
    keys.remove(n)
    setMoved(`${label} ${n + 1} was removed.`)
    focusNext(end > 1 ? childPointer(pointer, Math.min(n, end - 2)) : pointer)
  }
  return (
    <>
      {end > 0 && (
        <ol class="elements">
          {elements.slice(0, most).map((text, n) => (
            <Element
              key={keys.of(n)}
              place={{
                pointer: childPointer(pointer, n),
                schema: schemaOf(n),
                text,
                label: `${label} ${n + 1}`,
                isRequired: false,
                isElement: true,
                depth: place.depth + 1,
              }}
              isOpen={end <= mostOpen || n === added}
              isPlace={n < shape.first.length}
              canGo={n >= shape.first.length || (n >= shape.least && n === end - 1)}
              onEnter={n === end - 1 && end < shape.most ? add : undefined}
              onMove={(step) => move(n, n + step)}
              onRemove={() => remove(n)}
              canRise={n > 0 && n >= shape.first.length}
              canFall={n < end - 1 && n >= shape.first.length}
            />
          ))}
        </ol>
      )}
      {end > most && (
        <Button onPress={() => setMost(most + mostElements)}>Show {countOf(end - most, 'more element')}</Button>
      )}
      {!isReadonly && end < shape.most && (
        <div>
          <Button icon="add" name={`Add an element to ${label}`} onPress={add}>
            Add an element
          </Button>
        </div>
      )}
      <span class="unseen" role="status">
        {moved}
      </span>
    </>
  )
}

/** An array of at most this many elements starts with all of them open. */
const mostOpen = 3

/** Keys that move with their elements, so that open elements stay open. */
function useKeys(length: number) {
  const keys = useRef<number[]>([])
  const next = useRef(0)
  while (keys.current.length < length) keys.current.push(next.current++)
  keys.current.length = length
  return {
    of: (n: number) => keys.current[n],
    move(from: number, to: number) {
      const [key = 0] = keys.current.splice(from, 1)
      keys.current.splice(to, 0, key)
    },
    remove: (n: number) => void keys.current.splice(n, 1),
  }
}

type ElementProps = {
  place: Place
  isOpen: boolean
  /** The element is at a fixed position of a tuple, with a schema for that position. */
  isPlace: boolean
  canGo: boolean
  canRise: boolean
  canFall: boolean
  onEnter: (() => void) | undefined
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function Element({ place, isOpen, isPlace, canGo, canRise, canFall, onEnter, onMove, onRemove }: ElementProps) {
  const { PlaceField, reader, isReadonly } = useForm()
  const { text = 'null', label } = place
  const { shape, title } = fieldOf(reader, place.schema, JSON.parse(text))
  const named = title === null ? place : { ...place, label: isPlace ? title : `${label}, ${title}` }
  const isDeep = /^[[{]/.test(text) && shape.kind !== 'choice'
  return (
    <li class={isDeep ? 'deep' : undefined}>
      {isDeep ? (
        <Folded place={named} isOpen={isOpen} />
      ) : (
        <PlaceField place={{ ...named, hidesLabel: !isPlace || title === null, onEnter }} />
      )}
      {!isReadonly && (
        <span class="element-actions">
          {!isPlace && (
            <>
              <Button
                kind="quiet"
                icon="up"
                label={`Move ${label} up`}
                disabled={!canRise}
                onPress={() => onMove(-1)}
              />
              <Button
                kind="quiet"
                icon="down"
                label={`Move ${label} down`}
                disabled={!canFall}
                onPress={() => onMove(1)}
              />
            </>
          )}
          {canGo && <Button kind="quiet" icon="close" label={`Remove ${label}`} onPress={onRemove} />}
        </span>
      )}
    </li>
  )
}

/** An element with fields, which are rendered only while it is open. */
function Folded({ place, isOpen }: { place: Place; isOpen: boolean }) {
  const { PlaceField, countBelow } = useForm()
  const [open, setOpen] = useState(isOpen)
  const wrong = countBelow(place.pointer)
  return (
    <details open={open} data-pointer={place.pointer} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="muted">{place.label}</span> <b>{summaryOf(place.text ?? '')}</b>
        {wrong > 0 && ' '}
        {wrong > 0 && <Pill tone="bad">{countOf(wrong, 'error')}</Pill>}
      </summary>
      {open && <PlaceField place={{ ...place, hidesLabel: true }} />}
    </details>
  )
}
