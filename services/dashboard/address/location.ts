import { signal } from '@preact/signals'
import { withQuery } from './pattern.ts'

/** The part of every address that says it is the dashboard. */
const base = '/dashboard'

/** Where the page is: the path below /dashboard, "/" at its beginning and not at its end, and the query. */
export type Address = { path: string; query: URLSearchParams }

export const here = signal<Address>(readAddress())

function readAddress(): Address {
  return addressOf(location.pathname.slice(base.length) + location.search)
}

function addressOf(to: string): Address {
  const [path = '', query = ''] = to.split(/\?(.*)/s)
  return { path: path.replace(/\/+$/, '') || '/', query: new URLSearchParams(query) }
}

/** What a link to an address of the page has as `href`. @param to such as `/lists/recipes?after=…` */
export function hrefOf(to: string): string {
  return base + to
}

type Guard = {
  /** Decides whether the page is left: it is given what leaves it. */
  ask: (leave: () => void) => void
  /** The parameters of the query that say what is edited. Who changes one of them leaves too. */
  parameters: readonly string[]
}
const guards = new Set<Guard>()

/** Puts a question before every way from this page to another one of the dashboard. @returns what takes it away again */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Whether somebody is asked first; `leave` is what happens then. */
function isGuarded(next: Address, leave: () => void): boolean {
  const guard = [...guards].find((one) => leaves(next, one))
  guard?.ask(() => {
    guards.delete(guard)
    leave()
  })
  return guard !== undefined
}

function leaves({ path, query }: Address, { parameters }: Guard): boolean {
  return path !== here.value.path || parameters.some((name) => query.get(name) !== here.value.query.get(name))
}

type Way = {
  /** The browser's way back does not lead to the present address. */
  replace?: boolean
  /** Nobody is asked: everything has just been saved. */
  unasked?: boolean
}

/** Goes to an address of the page. */
export function navigate(to: string, { replace = false, unasked = false }: Way = {}): void {
  if (!unasked && isGuarded(addressOf(to), () => navigate(to, { replace }))) return
  if (replace) history.replaceState(null, '', hrefOf(to))
  else history.pushState(null, '', hrefOf(to))
  const { path } = here.value
  here.value = readAddress()
  if (path !== here.value.path) scrollTo(0, 0)
}

/** Follows the browser's way back and forth, and clicks on links that lead to this page. */
export function followAddresses(): void {
  addEventListener('popstate', () => {
    const next = readAddress()
    // The browser is there already: it is led back for as long as the question is open.
    if (isGuarded(next, () => history.back())) history.pushState(null, '', hrefOf(withQuery(here.value, {})))
    else here.value = next
  })
  document.addEventListener('click', (event) => {
    const to = addressOfClick(event)
    if (to === null) return
    event.preventDefault()
    navigate(to)
  })
}

/** Where a click leads within the page; null: nowhere, or the browser follows it, as into a new tab. */
function addressOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return null
  if (!`${link.pathname}/`.startsWith(`${base}/`)) return null
  return link.pathname.slice(base.length) + link.search
}
