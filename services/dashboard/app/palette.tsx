import { useEffect, useState } from 'preact/hooks'
import { navigate } from '../address/location.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { type Entry, useEntries } from './palette-entries.ts'

// Preact's types allow a combobox only with a `datalist`.
const comboBox: object = { role: 'combobox', 'aria-expanded': true, 'aria-controls': 'palette-found' }

/** Finds places by name and actions by verb. @param actions of the frame */
export function Palette({ actions, onClose }: { actions: readonly Entry[]; onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries(text.trim(), actions)
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    if ('to' in entry) navigate(entry.to)
    // The action may open a dialog, so this one is closed first.
    else setTimeout(entry.run)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') open(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        class="input"
        type="search"
        {...comboBox}
        aria-label="Search"
        aria-activedescendant={entries[at] && `palette-${at}`}
        placeholder="Page, list, item, or action"
        ref={(input) => input?.focus()}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <Found entries={entries} at={at} onOpen={open} />
    </Dialog>
  )
}

function Found({ entries, at, onOpen }: { entries: readonly Entry[]; at: number; onOpen: (entry: Entry) => void }) {
  useEffect(() => document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])
  return (
    <div class="palette-found" id="palette-found" role="listbox" aria-label="Found">
      {entries.map((entry, n) => (
        <div
          key={`${entry.label} ${entry.more}`}
          id={`palette-${n}`}
          class="menu-item"
          role="option"
          aria-selected={n === at}
          onClick={() => onOpen(entry)}
        >
          <span>{entry.label}</span>
          <small>{entry.more}</small>
        </div>
      ))}
      {entries.length === 0 && <p class="muted">Nothing found.</p>}
    </div>
  )
}
