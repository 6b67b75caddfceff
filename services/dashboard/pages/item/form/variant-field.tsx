import { useRef, useState } from 'preact/hooks'
import { isOptional, useForm, usePlace } from './form-scope.ts'
import { PlaceRow } from './place-row.tsx'
import { switchedValue } from './rules/switched-value.ts'
import { meantVariant } from './rules/variants.ts'
import type { PlaceProps } from './text-controls.tsx'

/** A place with several variants: a choice of the variant, and its field. Choosing an earlier variant again restores its value. */
export function VariantPlace({ place, field }: PlaceProps) {
  const { reader, PlaceField } = useForm()
  const { put, remove } = usePlace(place)
  const [chosen, setChosen] = useState(-1)
  const before = useRef(new Map<number, string>())
  const { text, label } = place
  const variants = field.shape.kind === 'variants' ? field.shape.variants : []
  const value = text === undefined ? undefined : JSON.parse(text)
  const meant = meantVariant(reader, variants, value, text === undefined ? -1 : chosen)
  const choose = (choice: string) => {
    if (text !== undefined && meant >= 0) before.current.set(meant, text)
    if (choice === '') return remove()
    if (choice === 'null') return put('null')
    const n = Number(choice)
    setChosen(n)
    put(before.current.get(n) ?? switchedValue(reader, variants[n]?.schema, text))
  }
  const variant = text === 'null' ? undefined : variants[meant]
  const selected = text === undefined ? '' : text === 'null' ? 'null' : String(meant)
  return (
    <div class="variants">
      <PlaceRow
        place={place}
        field={{ ...field, isNullable: false }}
        control={(ids) => (
          <select {...ids} class="input kind" onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {(text === undefined || isOptional(place)) && (
              <option value="" selected={selected === ''}>
                not set
              </option>
            )}
            {variants.map(({ title }, n) => (
              <option key={title} value={n} selected={selected === String(n)}>
                {title}
              </option>
            ))}
            {(field.isNullable || text === 'null') && (
              <option value="null" selected={selected === 'null'}>
                null
              </option>
            )}
            {selected === '-1' && (
              <option value="-1" selected disabled>
                something else
              </option>
            )}
          </select>
        )}
      />
      {variant && (
        <PlaceField
          key={variant.title}
          place={{
            ...place,
            schema: variant.schema,
            hidesLabel: true,
            isElement: true,
            label: `${label}, ${variant.title}`,
          }}
        />
      )}
      {selected === '-1' && <PlaceField place={{ ...place, schema: false, hidesLabel: true, isElement: true }} />}
    </div>
  )
}
