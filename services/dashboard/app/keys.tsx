import { useEffect } from 'preact/hooks'
import { navigate } from '../address/location.ts'
import { newestUndo } from '../parts/controls/announce.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { Key } from '../parts/display/marks.tsx'
import { hasSingleKeys, isTyping, pageKeys, pressPageKey, usePageKeys } from '../parts/page/page-keys.ts'

/** The address for each second key after `g`. */
const places: Readonly<Record<string, string>> = {
  h: '/',
  l: '/lists',
  i: '/identities',
  t: '/tokens',
  w: '/webhooks',
  f: '/flows',
  e: '/events',
  s: '/schema',
  o: '/settings',
}

const keyHelp: readonly (readonly [string, string])[] = [
  ['Search', 'Ctrl K'],
  ['Go home, to lists, identities, tokens, webhooks, flows, events, schema, settings', 'g then h l i t w f e s o'],
  ['Keyboard shortcuts', '?'],
]

/** Help: the keys that work on every page outside of fields, and those of the open page. */
export function useKeys({ palette, help }: { palette: () => void; help: () => void }): void {
  useEffect(() => {
    let wasG = false
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        palette()
        return
      }
      if (!wasG && pressPageKey(event)) return
      if (!hasSingleKeys.value || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const to = wasG ? places[event.key] : undefined
      wasG = event.key === 'g'
      if (to) navigate(to)
      else if (event.key === '?') help()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** A key for the Undo button, which is at the end of the page and far by Tab. */
export function UndoKey() {
  usePageKeys([{ key: 'Ctrl z', what: 'Undo', outside: true, run: () => newestUndo.value?.() }])
  return null
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {!hasSingleKeys.value && (
        <p class="muted lead">Single-key shortcuts are switched off in the settings. Shortcuts with Ctrl still work.</p>
      )}
      <div class="keys">
        {[...pageKeys.value.map(({ what, key }) => [what, key] as const), ...keyHelp].map(([what, keys]) => (
          <>
            <span>{what}</span>
            <span>
              {keys.split(' ').map((key) => (
                <>{key === 'then' ? key : <Key>{key}</Key>} </>
              ))}
            </span>
          </>
        ))}
      </div>
    </Dialog>
  )
}
