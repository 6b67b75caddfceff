import { useRef } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Choice } from '#services/dashboard/parts/controls/field.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import type { TextEditor } from '#services/dashboard/parts/editor/editor.ts'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { example } from './example.ts'
import type { Pasted, PasteError } from './pasted.ts'

type PasteBoxProps = {
  text: string
  onText: (text: string) => void
  pasted: Pasted | null
  error: PasteError | null
  onFrom: (from: string | null) => void
}

/** The editor for pasted JSON, and a summary of what was found in it. */
export function PasteBox({ text, onText, pasted, error, onFrom }: PasteBoxProps) {
  const editor = useRef<TextEditor>(null)
  const marks = error ? [{ from: error.offset, to: error.offset + 1, message: error.message }] : noMarks
  const begin = (created: TextEditor) => {
    editor.current = created
    // No focus on a phone: its keyboard would cover the page.
    if (matchMedia('(pointer: fine)').matches) created.goTo(0)
  }
  const putExample = () => {
    onText(example)
    editor.current?.goTo(0)
  }
  return (
    <section class="paste" aria-label="Pasted JSON">
      <div class="bar">
        <span class="grow" role="status">
          {reported(pasted, error)}
        </span>
        {pasted && pasted.choices.length > 0 && <From pasted={pasted} onFrom={onFrom} />}
        {text === '' && (
          <Button kind="quiet" onPress={putExample}>
            Use an example
          </Button>
        )}
      </div>
      <JsonEditor label="JSON to create a list from" text={text} onText={onText} marks={marks} onReady={begin} />
    </section>
  )
}

const noMarks: [] = []

function reported(pasted: Pasted | null, error: PasteError | null): string {
  if (error) return error.message
  if (!pasted) return 'Paste one item, an array of items, or an item on each line. Escape, then Tab leaves the editor.'
  return `${countOf(pasted.items.length, 'item')} read.`
}

/** For an object that contains arrays of objects: a choice of the array whose elements are the items. */
function From({ pasted, onFrom }: { pasted: Pasted; onFrom: (from: string | null) => void }) {
  const choices = [
    { value: '', label: 'the object itself' },
    ...pasted.choices.map((name) => ({ value: `.${name}`, label: `the value of ${name}` })),
  ]
  return (
    <div class="paste-from">
      <Choice
        label="The items are"
        value={pasted.from === null ? '' : `.${pasted.from}`}
        onValue={(value) => onFrom(value === '' ? null : value.slice(1))}
        choices={choices}
      />
    </div>
  )
}
