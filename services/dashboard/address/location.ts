import { signal } from '@preact/signals'
import { withQuery } from './pattern.ts'

/** The prefix of every dashboard address. */
const base = '/dashboard'

/** The address of the page: its path below /dashboard, with a leading and no trailing "/", and its query. */
export type Address = { path: string; query: URLSearchParams }

export const here = signal<Address>(readAddress())

function readAddress(): Address {
  return addressOf(location.pathname.slice(base.length) + location.search)
}

function addressOf(to: string): Address {
  const [path = '', query = ''] = to.split(/\?(.*)/s)
  return { path: path.replace(/\/+$/, '') || '/', query: new URLSearchParams(query) }
}

/** The `href` of a link to an address of the page. @param to for example `/lists/recipes?after=…` */
export function hrefOf(to: string): string {
  return base + to
}

type Guard = {
  /** Decides whether the page is left. It receives the function that leaves it. */
  ask: (leave: () => void) => void
  /** The query parameters that name what is edited. Changing one of them also counts as leaving. */
  parameters: readonly string[]
}
const guards = new Set<Guard>()

/** Asks before the page is left for another page of the dashboard. @returns a function that stops asking */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Whether the user is asked first; `leave` then leaves the page. */
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
  /** Replaces the current history entry, so that Back does not return to it. */
  replace?: boolean
  /** Leaves without asking, because everything has just been saved. */
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

/** Follows the browser's Back and Forward, and clicks on links within the dashboard. */
export function followAddresses(): void {
  addEventListener('popstate', () => {
    const next = readAddress()
    // The browser has already moved. It is moved back while the question is open.
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

/** The dashboard address that a click opens; null: none, or the browser follows the link itself, for example into a new tab. */
function addressOfClick(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return null
  if (!`${link.pathname}/`.startsWith(`${base}/`)) return null
  return link.pathname.slice(base.length) + link.search
}
