import { computed, signal } from '@preact/signals'
import { Button } from './button.tsx'

type Announcement = { id: number; text: string; bad: boolean; undo?: (() => void) | undefined }

const shown = signal<Announcement[]>([])
let lastId = 0

const showsMs = { plain: 5_000, undo: 30_000, bad: 15_000 }

/** Says what has happened, at the foot of the page and to screen readers. `undo`: takes it back, for 30 s. */
export function announce(text: string, { bad = false, undo }: { bad?: boolean; undo?: () => void } = {}): void {
  const id = ++lastId
  shown.value = [...shown.value.slice(-2), { id, text, bad, undo }]
  setTimeout(() => dismiss(id), undo ? showsMs.undo : bad ? showsMs.bad : showsMs.plain)
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id)
}

/** Where announcements appear. */
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

/** Undoes what was announced last, as long as it can be undone; null: there is nothing. */
export const newestUndo = computed(() => {
  const last = shown.value.findLast(({ undo }) => undo)
  return last ? () => runUndo(last) : null
})
