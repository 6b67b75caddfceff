import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SignedIn } from '#client/src/manage.ts'
import { here, hrefOf } from '../address/location.ts'
import { signOut } from '../api/client.ts'
import { toListdError } from '../api/errors.ts'
import { keysIn, schemeIn } from '../api/preference-values.ts'
import { usePreferences } from '../api/preferences.ts'
import { announce, newestUndo } from '../parts/controls/announce.tsx'
import { Icon } from '../parts/controls/icon.tsx'
import { Menu, MenuItem } from '../parts/controls/menu.tsx'
import { Key } from '../parts/display/marks.tsx'
import { trail } from '../parts/page/page.tsx'
import { hasSingleKeys } from '../parts/page/page-keys.ts'
import { messageOf } from '../parts/problems/problem.tsx'
import { showScheme } from '../parts/scheme.ts'
import { KeyHelp, UndoKey, useKeys } from './keys.tsx'
import { Palette } from './palette.tsx'
import { PinnedLists } from './pinned-lists.tsx'
import { isInSection, sections } from './sections.ts'

/** The frame of every page: navigation, breadcrumbs, and the user menu. */
export function Frame({ self, children }: { self: SignedIn; children: ComponentChildren }) {
  const [over, setOver] = useState<'palette' | 'keys' | null>(null)
  useKept()
  useKeys({ palette: () => setOver('palette'), help: () => setOver('keys') })
  const actions = [
    { label: 'Show keyboard shortcuts', more: '?', run: () => setOver('keys') },
    { label: 'Sign out', more: 'do', run: leave },
  ]
  return (
    <div class="app">
      <a class="button skip" href="#content">
        Skip to the content
      </a>
      <Sections />
      <main class="main" id="content">
        <header class="top">
          <Crumbs />
          <button type="button" class="find" onClick={() => setOver('palette')}>
            <Icon name="find" />
            <span>Search</span>
            <Key>Ctrl K</Key>
          </button>
          <Account self={self} onHelp={() => setOver('keys')} />
        </header>
        {children}
      </main>
      {newestUndo.value && <UndoKey />}
      {over === 'palette' && <Palette actions={actions} onClose={() => setOver(null)} />}
      {over === 'keys' && <KeyHelp onClose={() => setOver(null)} />}
    </div>
  )
}

/** Applies the user's color scheme and keyboard preferences, also those set in another tab or browser. */
function useKept(): void {
  const { data } = usePreferences()
  useEffect(() => {
    if (!data) return
    showScheme(schemeIn(data))
    hasSingleKeys.value = keysIn(data)
  }, [data])
}

function Sections() {
  const { path } = here.value
  return (
    <nav class="side" aria-label="Sections">
      <a class="brand" href={hrefOf('/')}>
        <Icon name="brand" />
        listd
      </a>
      {sections.map((section) => {
        const { to, label, icon, more } = section
        return (
          <>
            <a
              href={hrefOf(to)}
              class={[more && 'more', isInSection(path, section) && 'on'].filter(Boolean).join(' ')}
              aria-current={path === to ? 'page' : undefined}
            >
              <Icon name={icon} />
              <span>{label}</span>
            </a>
            {to === '/lists' && <PinnedLists />}
          </>
        )
      })}
      <More isHere={sections.some((section) => section.more && isInSection(path, section))} />
    </nav>
  )
}

/** Menu for the sections that do not fit on a phone. */
function More({ isHere }: { isHere: boolean }) {
  return (
    <div class={isHere ? 'rest on' : 'rest'}>
      <Menu
        label="More"
        kind="quiet"
        inside={
          <span class="tile">
            <Icon name="more" />
            More
          </span>
        }
      >
        {sections.map(
          ({ to, label, icon, more }) =>
            more && (
              <MenuItem key={to} to={to} icon={icon}>
                {label}
              </MenuItem>
            ),
        )}
      </Menu>
    </div>
  )
}

function Crumbs() {
  const { title, crumbs } = trail.value
  return (
    <nav class="crumbs grow" aria-label="Breadcrumbs">
      {crumbs.map(({ to, label }) => (
        <>
          <a href={hrefOf(to)}>{label}</a>
          <span aria-hidden="true">/</span>
        </>
      ))}
      <b>{title}</b>
    </nav>
  )
}

function Account({ self, onHelp }: { self: SignedIn; onHelp: () => void }) {
  const { email, displayName } = self.user
  return (
    <div class="me">
      <Menu
        label={initials(displayName ?? email)}
        name={`${initials(displayName ?? email)}, account of ${displayName ?? email}`}
      >
        <p class="menu-head">
          {displayName && <b>{displayName}</b>}
          <span class="muted">{email}</span>
        </p>
        <MenuItem icon="settings" to="/settings">
          Settings
        </MenuItem>
        <MenuItem icon="note" onPress={onHelp} more="?">
          Keys
        </MenuItem>
        <MenuItem icon="leave" onPress={leave}>
          Sign out
        </MenuItem>
      </Menu>
    </div>
  )
}

function leave(): void {
  signOut().then(
    () => location.assign(hrefOf('/')),
    (failure) => announce(messageOf(toListdError(failure)), { bad: true }),
  )
}

/** Up to two initials of a person. */
function initials(name: string): string {
  const words =
    name
      .split('@')[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? []
  const letters = words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : words[0]?.slice(0, 2)
  return (letters ?? '').toUpperCase()
}
