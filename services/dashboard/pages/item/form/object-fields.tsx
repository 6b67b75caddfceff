import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { TextField } from '#services/dashboard/parts/controls/field.tsx'
import { countOf, sentence } from '#services/dashboard/parts/display/text.tsx'
import { childPointer } from '#shared/json/pointer.ts'
import { membersOf } from '#shared/json/text/parts.ts'
import { type Place, useForm, usePlace } from './form-scope.ts'
import { PlaceActions, useProblems } from './place-row.tsx'
import { putAt } from './rules/edits.ts'
import { type Field, fieldOf } from './rules/field.ts'
import { firstElement, firstValue } from './rules/first-value.ts'
import { keywordErrors, missingError, unknownError } from './rules/keyword-errors.ts'
import type { PlaceProps } from './text-controls.tsx'

/** The fields of an object, in a frame unless it is the root of the data. */
export function ObjectPlace({ place, field }: PlaceProps) {
  const { reader, focusNext } = useForm()
  const { put } = usePlace(place)
  const { text, label, pointer } = place
  if (text === undefined || text === 'null') {
    const add = () => {
      put(firstValue(reader, place.schema) ?? '{}')
      focusNext(pointer)
    }
    return (
      <Absent place={place} field={field}>
        <Button icon="add" name={`Add ${label}`} onPress={add}>
          Add
        </Button>
      </Absent>
    )
  }
  return (
    <Group place={place} field={field}>
      <Members place={place} field={field} text={text} />
    </Group>
  )
}

/** An object or array that is absent or null, with the button that adds it. */
export function Absent({ place, field, children }: PlaceProps & { children: ComponentChildren }) {
  const problems = useProblems(place, field)
  return (
    <div class="field place" data-pointer={place.pointer}>
      <div class="place-head">
        <span class="place-label">{place.label}</span>
        <span class="muted small">{place.text === 'null' ? 'null' : place.isRequired ? 'required' : 'not set'}</span>
      </div>
      {field.help && <small>{sentence(field.help)}</small>}
      {problems.length > 0 && <small class="problem">{problems.map(sentence).join(' ')}</small>}
      <PlaceActions place={place} field={field}>
        {children}
      </PlaceActions>
    </div>
  )
}

type GroupProps = PlaceProps & { count?: string; children: ComponentChildren }

/** The fields of an object or array, below its name. */
export function Group({ place, field, count, children }: GroupProps) {
  const id = useId()
  const problems = useGroupProblems(place, field)
  const inside = (
    <>
      {children}
      {problems.length > 0 && <small class="problem">{problems.map(sentence).join(' ')}</small>}
    </>
  )
  if (place.hidesLabel || place.pointer === '') {
    return (
      <div class="nested bare" role="group" aria-label={place.label} data-pointer={place.pointer}>
        {field.help && <small class="muted">{sentence(field.help)}</small>}
        {inside}
      </div>
    )
  }
  return (
    <div class="nested" role="group" aria-labelledby={id} data-pointer={place.pointer}>
      <div class="place-head">
        <span id={id} class="place-label">
          {place.label}
        </span>
        {count !== undefined && <span class="muted small">{count}</span>}
        {place.isRequired && <span class="muted small">required</span>}
      </div>
      {field.help && <small class="muted">{sentence(field.help)}</small>}
      <div class="inside">{inside}</div>
      <PlaceActions place={place} field={field} />
    </div>
  )
}

/** Characters of a value that the page checks at every key. Only the service checks longer ones. */
const longestChecked = 50_000

/** The errors of an object or array itself, without those that its members report. */
function useGroupProblems(place: Place, field: Field): string[] {
  const { isBinding } = useForm()
  const { shape, schema } = field
  const { text = 'null' } = place
  const named = shape.kind === 'object' ? shape.properties.map(({ name }) => missingError(name)) : []
  const reported = new Set([...named, ...(text.startsWith('{') ? [...membersOf(text).keys()].map(unknownError) : [])])
  const own =
    isBinding && /^[[{]/.test(text) && text.length <= longestChecked ? keywordErrors(schema, JSON.parse(text)) : []
  return [...new Set([...own, ...useProblems(place, field)])].filter((problem) => !reported.has(problem))
}

/** Members that the schema does not name: the number shown at first, and with each press of "Show more". */
const mostOthers = 100

function Members({ place, field, text }: PlaceProps & { text: string }) {
  const { PlaceField, isReadonly, isTouched, isBinding, problemsAt, reader } = useForm()
  const [most, setMost] = useState(mostOthers)
  const { shape } = field
  if (shape.kind !== 'object') return null
  const members = membersOf(text)
  const named = shape.properties.map(({ name }) => name)
  const others = [...members.keys()].filter((name) => !named.includes(name))
  const said = problemsAt(place.pointer)
  /** Whether the value is the only one that the schema allows, so that there is nothing to edit. */
  const isConstant = (schema: unknown, text: string | undefined) => {
    const { shape } = fieldOf(reader, schema, undefined)
    return shape.kind === 'choice' && shape.choices.length === 1 && shape.choices[0]?.text === text
  }
  const below = (name: string) => {
    const pointer = childPointer(place.pointer, name)
    return { pointer, text: members.get(name)?.value, label: name, order: named, depth: place.depth + 1 }
  }
  return (
    <>
      {shape.properties.map(({ name, schema, isRequired }) => {
        const at = below(name)
        if (isRequired && isConstant(schema, at.text)) return null
        const isMissing = isBinding && isRequired && at.text === undefined && isTouched(at.pointer)
        const problem = isMissing ? 'is required' : undefined
        return <PlaceField key={name} place={{ ...at, schema, isRequired, problem }} />
      })}
      {others.slice(0, most).map((name) => {
        const problem = said.includes(unknownError(name)) ? 'is not allowed here' : undefined
        return (
          <PlaceField key={name} place={{ ...below(name), schema: shape.others ?? {}, isRequired: false, problem }} />
        )
      })}
      {others.length > most && (
        <Button onPress={() => setMost(most + mostOthers)}>Show {countOf(others.length - most, 'more member')}</Button>
      )}
      {takesOthers(field, isBinding) && !isReadonly && (
        <AddMember place={place} schema={shape.others} names={[...named, ...members.keys()]} />
      )}
    </>
  )
}

/** Whether to offer members that the schema does not name. If it only does not forbid them, they are not offered. */
function takesOthers({ shape, schema }: Field, isBinding: boolean): boolean {
  if (shape.kind !== 'object' || shape.others === null) return false
  const isSaid = Object.hasOwn(schema, 'additionalProperties') || Object.hasOwn(schema, 'patternProperties')
  return isSaid || !isBinding || shape.properties.length === 0
}

type AddMemberProps = { place: Place; schema: unknown; names: readonly string[] }

/** Adds a member that the schema does not name. */
function AddMember({ place, schema, names }: AddMemberProps) {
  const { reader, change, focusNext } = useForm()
  const [name, setName] = useState<string | null>(null)
  const isTaken = name !== null && names.includes(name)
  const add = () => {
    if (name === null || isTaken) return
    const at = childPointer(place.pointer, name)
    change(at, (data) => putAt(data, at, firstElement(reader, schema)))
    setName(null)
    focusNext(at)
  }
  const inside = place.pointer === '' ? 'the data' : place.label
  if (name === null) {
    return (
      <div>
        <Button kind="quiet" icon="add" name={`Add a member to ${inside}`} onPress={() => setName('')}>
          Add a member…
        </Button>
      </div>
    )
  }
  return (
    <div
      class="add-member"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(null)
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
    >
      <TextField
        label="Name of the new member"
        value={name}
        onValue={setName}
        problem={isTaken ? `A member ${name} already exists.` : undefined}
        mono
        autofocus
        autocomplete="off"
      />
      <Button disabled={isTaken} onPress={add}>
        Add
      </Button>
      <Button kind="quiet" onPress={() => setName(null)}>
        Cancel
      </Button>
    </div>
  )
}
