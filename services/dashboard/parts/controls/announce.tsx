import { computed, signal } from '@preact/signals'
import { Button } from './button.tsx'

type Announcement = { id: number; text: string; bad: boolean; undo?: (() => void) | undefined }

const shown = signal<Announcement[]>([])
let lastId = 0

const showsMs = { plain: 5_000, undo: 30_000, bad: 15_000 }

/** Announces what has happened, in the footer of the page and to screen readers. `undo` is offered for 30 s. */
export function announce(text: string, { bad = false, undo }: { bad?: boolean; undo?: () => void } = {}): void {
  const id = ++lastId
  shown.value = [...shown.value.slice(-2), { id, text, bad, undo }]
  setTimeout(() => dismiss(id), undo ? showsMs.undo : bad ? showsMs.bad : showsMs.plain)
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id)
}

/** Shows the announcements. */
export function Announcements() {
  return (
    <div class="announcements" role="status">
      {shown.value.map((one) => (
        <div key={one.id} class={one.bad ? 'announcement bad' : 'announcement'}>
          <span>{one.text}</span>
          {one.undo && (
            <Button kind="quiet" onPress={() => runUndo(one)}>
              Undo
            </Button>
          )}
          <Button kind="quiet" icon="close" label="Dismiss" onPress={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  )
}

function runUndo({ id, undo }: Announcement): void {
  dismiss(id)
  undo?.()
}

/** Undoes the last announced action; null: there is nothing to undo. */
export const newestUndo = computed(() => {
  const last = shown.value.findLast(({ undo }) => undo)
  return last ? () => runUndo(last) : null
})
