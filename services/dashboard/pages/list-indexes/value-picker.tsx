import { useState } from 'preact/hooks'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { eachElement } from '#shared/json/text/offsets.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'

type PickerProps = {
  pointer: string
  /** @param value the sample item's value at the pointer, as JSON text */
  onPick: (pointer: string, value: string) => void
}

const mostSamples = 20

/** Sample items. Clicking a value selects its pointer. */
export function ValuePicker({ list, ...pick }: PickerProps & { list: string }) {
  const samples = useResource(`samples ${list}`, async (signal) => {
    const newest = { order: 'createdAt', direction: 'desc', limit: mostSamples, signal } as const
    const data = findAt(compact(await client.list(list).items(newest).page(1).text()), '/data') ?? '[]'
    return [...eachElement(data, 0)].map(({ start, end }) => findAt(data.slice(start, end), '/data') ?? 'null')
  })
  return (
    <section aria-label="Sample item">
      <Loaded resource={samples}>{(items) => <Samples items={items} {...pick} />}</Loaded>
    </section>
  )
}

function Samples({ items, ...pick }: PickerProps & { items: readonly string[] }) {
  const [at, setAt] = useState(0)
  const item = items[at]
  if (item === undefined) return <p class="pad muted">The list has no items to pick a value from. Enter the pointer.</p>
  return (
    <div class="card">
      <header>
        <span class="muted small grow">Click the value to index.</span>
        {items.length > 1 && (
          <Button kind="quiet" onPress={() => setAt((at + 1) % items.length)}>
            Another item
          </Button>
        )}
      </header>
      <div class="picker in code">
        <Value value={new JsonEdit(item)} at="" left={{ values: mostValues }} {...pick} />
      </div>
    </div>
  )
}

/** Values of one item that are shown at most. */
const mostValues = 200
const mostOfText = 80

type ValueProps = PickerProps & { value: JsonEdit; at: string; left: { values: number } }

function Value({ value, at, left, ...pick }: ValueProps) {
  if (value.kind === 'scalar' || value.length === 2) return <Leaf value={value} at={at} {...pick} />
  const children =
    value.kind === 'object'
      ? [...value.members].map(([key, member]) => [key, member.value] as const)
      : value.elements.map((element, n) => [String(n), element] as const)
  return (
    <ul>
      {children.map(([key, child]) => {
        if (left.values-- <= 0) return null
        const pointer = childPointer(at, key)
        const isInside = child.kind !== 'scalar' && child.length > 2
        return (
          <li key={key}>
            {isInside ? (
              <Leaf value={child} at={pointer} text={key} {...pick} />
            ) : (
              <span class="picker-key">{key}: </span>
            )}
            <Value value={child} at={pointer} left={left} {...pick} />
          </li>
        )
      })}
    </ul>
  )
}

type LeafProps = PickerProps & { value: JsonEdit; at: string; text?: string }

/** A value that can be picked. `text`: shown instead of the value. */
function Leaf({ value, at, text, pointer, onPick }: LeafProps) {
  const printed = value.print()
  const shown = text ?? (printed.length > mostOfText ? `${printed.slice(0, mostOfText).toWellFormed()}…` : printed)
  return (
    <button
      type="button"
      class="picker-value"
      aria-pressed={at === pointer && pointer !== ''}
      aria-label={`${at || 'the whole data'}: ${shown}`}
      onClick={() => onPick(at, printed)}
    >
      {shown}
    </button>
  )
}
