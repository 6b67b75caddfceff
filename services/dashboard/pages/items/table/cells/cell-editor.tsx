import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type CellDraft, kindWords, typedJson } from './cell-value.ts'

type CellEditorProps = {
  /** The cell that the editor covers. */
  cell: HTMLElement
  label: string
  draft: CellDraft
  /** @param json compact JSON. @returns why it was not stored, as a sentence; null: it was */
  onSave: (json: string) => Promise<string | null>
  onClose: () => void
}

/** The field for editing a cell. Enter stores the value, Escape cancels. */
export function CellEditor({ cell, label, draft, onSave, onClose }: CellEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(draft.typed)
  const [problem, setProblem] = useState<string | null>(null)
  const isSaving = useRef(false)
  useLayoutEffect(() => open(form.current, cell), [cell])
  const save = async (event: Event) => {
    event.preventDefault()
    if (isSaving.current) return
    const json = typedJson({ ...draft, typed })
    if (json === null) return setProblem(`It must be ${kindWords[draft.kind]}.`)
    isSaving.current = true
    setProblem(await onSave(json))
    isSaving.current = false
  }
  const shared = {
    class: 'input',
    'aria-label': label,
    ...(problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': problemId }),
  }
  return (
    <form
      ref={form}
      class="cell-editor"
      popover="manual"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && draft.kind === 'flag') save(event)
      }}
      onFocusOut={() => typed === draft.typed && !isSaving.current && onClose()}
    >
      {draft.kind === 'flag' ? (
        <select {...shared} onChange={({ currentTarget }) => setTyped(currentTarget.value)}>
          {['', 'true', 'false'].map((value) => (
            <option key={value} value={value} selected={value === typed} hidden={value === ''}>
              {value}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          value={typed}
          inputMode={draft.kind === 'number' ? 'decimal' : 'text'}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {problem !== null && (
        <small id={problemId} class="problem" role="alert">
          {problem}
        </small>
      )}
    </form>
  )
}

const problemId = 'cell-problem'

/** Opens the editor as a popover. It moves with its cell when the page scrolls or the window changes size. */
function open(form: HTMLFormElement | null, cell: HTMLElement): (() => void) | undefined {
  if (!form) return undefined
  const placeAgain = () => place(form, cell)
  form.showPopover()
  placeAgain()
  const field = form.querySelector<HTMLInputElement | HTMLSelectElement>('.input')
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
  window.addEventListener('resize', placeAgain)
  return () => window.removeEventListener('resize', placeAgain)
}

function place(form: HTMLFormElement, cell: HTMLElement): void {
  // A narrow window may hide the cell: then use its row.
  const shown = cell.getClientRects().length > 0 ? cell : (cell.parentElement ?? cell)
  const { left, top, width } = shown.getBoundingClientRect()
  const room = document.documentElement.clientWidth
  const wide = Math.min(Math.max(width, leastWidth), room - 16)
  form.style.width = `${wide}px`
  form.style.left = `${Math.max(8, Math.min(left, room - wide - 8)) + scrollX}px`
  form.style.top = `${top + scrollY}px`
}

/** Px. */
const leastWidth = 208
