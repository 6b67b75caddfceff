import { useId, useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Link } from '#services/dashboard/parts/controls/button.tsx'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import { itemsKey } from '../../lists/list-items.ts'
import type { FoundItem } from '../../references/found-items.ts'
import { mostOffered, type Search, searchItems } from '../../references/search-items.ts'
import { useTitle } from '../../references/use-title.ts'
import { isOptional, usePlace } from './form-scope.ts'
import { type ControlIds, PlaceRow } from './place-row.tsx'
import { emptyWords, type PlaceProps, shownText } from './text-controls.tsx'

/** Wait after the last key before items are searched. */
const pauseMs = 150

/** A text that refers to an item of a list. The field searches that list, shows the item's title, and stores the item's id. */
export function ReferencePlace({ place, field }: PlaceProps) {
  const { put, remove } = usePlace(place)
  const list = field.shape.kind === 'reference' ? field.shape.list : ''
  const value = shownText(place.text)
  const title = useTitle(list, value)
  const known = value === '' || title.isOld ? undefined : title.data
  const take = (name: string) => (name === '' && isOptional(place) ? remove() : put(JSON.stringify(name)))
  const note = (
    <>
      {value === '' && `An item of ${list}.`}
      {value !== '' && known === null && `No item of ${list} has this id or alias: `}
      {value !== '' && title.error && !known && `${messageOf(title.error)} `}
      {value !== '' && <span class="mono">{value}</span>}
      {known && (
        <>
          {' · '}
          <Link to={route`/lists/${list}/items/${value}`}>Open {known}</Link>
        </>
      )}
    </>
  )
  const control = (ids: ControlIds) => (
    <Picker
      ids={ids}
      list={list}
      shown={known ?? value}
      placeholder={emptyWords(place.text)}
      label={place.label}
      onPick={take}
    />
  )
  return <PlaceRow place={place} field={field} control={control} note={note} />
}

type PickerProps = {
  ids: ControlIds
  list: string
  shown: string
  placeholder: string
  label: string
  onPick: (name: string) => void
}

/** An option of the picker. */
type Option = { name: string; label: string; more: string }

// Preact's types allow a combobox only with a `datalist`.
const comboBox = (open: boolean, listBox: string, at: string | undefined): object => ({
  role: 'combobox',
  'aria-expanded': open,
  'aria-controls': listBox,
  'aria-autocomplete': 'list',
  'aria-activedescendant': at,
})

function Picker({ ids, list, shown, placeholder, label, onPick }: PickerProps) {
  const listBox = useId()
  // Null: there is no search.
  const [query, setQuery] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const found = useResource(
    query === null ? null : `${itemsKey(list)}pick ${query}`,
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, query === '' ? 0 : pauseMs))
      signal.throwIfAborted()
      return searchItems(list, query?.trim() ?? '', signal)
    },
    { stays: true, keeps: () => false },
  )
  const isOpen = query !== null
  const options = isOpen ? optionsOf(found.data, query) : []
  const search = (text: string | null) => {
    setQuery(text)
    setAt(0)
  }
  const pick = (option: Option | undefined) => {
    if (option) onPick(option.name)
    search(null)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) search('')
    else if (step) setAt((at + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter' && isOpen) pick(options[at])
    else if (event.key === 'Escape' && isOpen) search(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="picks">
      <input
        {...ids}
        {...comboBox(isOpen, listBox, isOpen && options[at] ? `${listBox}-${at}` : undefined)}
        class="input"
        autocomplete="off"
        value={query ?? shown}
        placeholder={isOpen ? 'Type to search' : placeholder}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => !isOpen && search('')}
        onInput={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={onKey}
        onBlur={() => search(null)}
      />
      {isOpen && (
        <div class="menu picked-from">
          <div id={listBox} role="listbox" aria-label={`Items for ${label}`}>
            {options.map((option, n) => (
              <div
                key={option.name}
                id={`${listBox}-${n}`}
                class="menu-item"
                role="option"
                aria-selected={n === at}
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(option)}
              >
                <span>{option.label}</span>
                <small class="mono">{option.more}</small>
              </div>
            ))}
          </div>
          <p class="muted small" role="status">
            {found.error ? messageOf(found.error) : wordsOf(found.data, query, list)}
          </p>
        </div>
      )}
    </div>
  )
}

/** The items found, and the text as typed: references are not checked, so any text is allowed. */
function optionsOf(found: Search | undefined, query: string): Option[] {
  const items = (found?.items ?? []).slice(0, mostOffered).map(toOption)
  const typed = query.trim()
  if (typed === '' || items.some(({ name }) => name === typed)) return items
  return [...items, { name: typed, label: `Use “${typed}” as typed`, more: '' }]
}

const toOption = ({ id, alias, title }: FoundItem): Option => ({ name: id, label: title, more: alias ?? id })

function wordsOf(found: Search | undefined, query: string, list: string): string {
  if (!found) return 'Searching…'
  const { items, looked } = found
  const partly =
    looked !== null && looked > 0
      ? `Only the newest ${looked} items of ${list} were searched: no index can find them by name.`
      : ''
  if (items.length === 0) return `No item of ${list} has this name. ${partly}`
  if (items.length >= mostOffered)
    return query === ''
      ? `The newest ${mostOffered} items.`
      : `The first ${mostOffered}: type more to find others. ${partly}`
  return partly
}
