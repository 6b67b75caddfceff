import { useState } from 'preact/hooks'
import { contains } from '../../../client/src/filters.ts'
import { route } from '../../../client/src/transport.ts'
import { navigate } from '../address/location.ts'
import { client } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { Dialog } from '../parts/dialog.tsx'

type Entry = { label: string; more: string; to: string }

const places: readonly Entry[] = [
  { label: 'Home', more: 'go', to: '/' },
  { label: 'Lists', more: 'go', to: '/lists' },
  { label: 'New list', more: 'do', to: '/new-list' },
  { label: 'Schema', more: 'go', to: '/schema' },
  { label: 'Settings', more: 'go', to: '/settings' },
]

// The types of Preact know a combobox only with a `datalist`.
const comboBox: object = { role: 'combobox', 'aria-expanded': true, 'aria-controls': 'palette-found' }

/** Goes to anything by its name: sections, actions, lists. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries(text.trim())
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    navigate(entry.to)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') open(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Find or do" onClose={onClose}>
      <input
        class="input"
        type="search"
        {...comboBox}
        aria-label="Find or do"
        aria-activedescendant={entries[at] && `palette-${at}`}
        placeholder="A list, a page, an action"
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

function useEntries(text: string): readonly Entry[] {
  const found = useResource(`lists named ${text}`, (signal) =>
    client.lists.all({ where: text ? { name: contains(text) } : {}, limit: 20, signal }).page(1),
  )
  const wanted = text.toLowerCase()
  const lists = (found.data?.data ?? []).map(({ name, pathName }) => ({
    label: name || pathName,
    more: name && name !== pathName ? pathName : 'list',
    to: route`/lists/${pathName}`,
  }))
  return [...places, ...lists].filter(({ label, more }) => `${label} ${more}`.toLowerCase().includes(wanted))
}

function Found({ entries, at, onOpen }: { entries: readonly Entry[]; at: number; onOpen: (entry: Entry) => void }) {
  return (
    <div class="palette-found" id="palette-found" role="listbox" aria-label="Found">
      {entries.map((entry, n) => (
        <div
          key={entry.to}
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
      {entries.length === 0 && <p class="muted">Nothing has this name.</p>}
    </div>
  )
}
