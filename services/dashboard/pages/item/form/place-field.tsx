import { useState } from 'preact/hooks'
import { syntaxFinding } from '../draft-check.ts'
import { ArrayPlace } from './array-fields.tsx'
import { ChoicePlace, FlagPlace, NullPlace } from './choice-controls.tsx'
import { type Place, useForm } from './form-scope.ts'
import { ObjectPlace } from './object-fields.tsx'
import { DayPlace, InstantPlace, TimePlace } from './picker-controls.tsx'
import { ReferencePlace } from './reference-field.tsx'
import { type Field, fieldOf, type Shape } from './rules/field.ts'
import { JsonPlace, NumberPlace, TextPlace } from './text-controls.tsx'
import { VariantPlace } from './variant-field.tsx'

/** Levels that a form shows; deeper values are edited as JSON. */
const deepest = 12

/** The field of a place, chosen by its schema and its value. A value that does not fit the field is edited as JSON. */
export function PlaceField({ place }: { place: Place }) {
  const { reader, held, indexLists } = useForm()
  const said = fieldOf(reader, place.schema, place.text === undefined ? undefined : JSON.parse(place.text))
  const list = said.shape.kind === 'text' ? indexLists.get(indexedPointer(place)) : undefined
  const field: Field = list === undefined ? said : { ...said, shape: { kind: 'reference', list } }
  const named = field.title === null || place.hidesLabel || place.isElement ? place : { ...place, label: field.title }
  // A JSON editor stays one while it has the focus.
  const [stays, setStays] = useState(false)
  const isJson = stays || held(place.pointer)?.text || !fits(field.shape, place.text) || place.depth > deepest
  if (!isJson) return <AsField place={named} field={field} />
  return (
    <div onFocusIn={() => setStays(true)} onFocusOut={() => setStays(false)}>
      <AsJson place={named} field={field} />
    </div>
  )
}

/** The pointer of an index on the value of a place. An index on an array contains its elements. */
const indexedPointer = ({ pointer, isElement }: Place) => (isElement ? pointer.replace(/\/[^/]*$/, '') : pointer)

type Props = { place: Place; field: Field }

function AsField({ place, field }: Props) {
  switch (field.shape.kind) {
    case 'object':
      return <ObjectPlace place={place} field={field} />
    case 'array':
      return <ArrayPlace place={place} field={field} />
    case 'variants':
      return <VariantPlace place={place} field={field} />
    case 'text':
      return <TextPlace place={place} field={field} onEnter={place.onEnter} />
    case 'number':
      return <NumberPlace place={place} field={field} />
    case 'boolean':
      return <FlagPlace place={place} field={field} />
    case 'choice':
      return <ChoicePlace place={place} field={field} />
    case 'date':
      return <DayPlace place={place} field={field} />
    case 'time':
      return <TimePlace place={place} field={field} />
    case 'date-time':
      return <InstantPlace place={place} field={field} />
    case 'reference':
      return <ReferencePlace place={place} field={field} />
    case 'null':
      return <NullPlace place={place} field={field} />
    default:
      return <AsJson place={place} field={field} />
  }
}

function AsJson({ place, field }: Props) {
  const errorIn = (text: string) => {
    const finding = syntaxFinding(text)
    return finding && `is not valid JSON: ${finding.message} (${finding.pointer})`
  }
  return <JsonPlace place={place} field={field} errorIn={errorIn} />
}

/** Whether the field of a shape can show this value. */
function fits({ kind }: Shape, text: string | undefined): boolean {
  if (text === undefined || text === 'null' || kind === 'variants' || kind === 'choice') return true
  if (kind === 'object') return text.startsWith('{')
  if (kind === 'array') return text.startsWith('[')
  if (kind === 'boolean') return text === 'true' || text === 'false'
  if (kind === 'number') return /^["\d-]/.test(text)
  return kind !== 'null' && kind !== 'json' && text.startsWith('"')
}
