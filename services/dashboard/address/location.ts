import { signal } from '@preact/signals'

/** The part of every address that says it is the dashboard. */
const base = '/dashboard'

/** Where the page is: the path below /dashboard, "/" at its beginning and not at its end, and the query. */
export type Address = { path: string; query: URLSearchParams }

export const here = signal<Address>(readAddress())

function readAddress(): Address {
  const path = location.pathname.slice(base.length).replace(/\/+$/, '')
  return { path: path || '/', query: new URLSearchParams(location.search) }
}

/** What a link to an address of the page has as `href`. @param to such as `/lists/recipes?after=…` */
export function hrefOf(to: string): string {
  return base + to
}

/** Goes to an address of the page. `replace`: the browser's way back does not lead to the present one. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', hrefOf(to))
  else history.pushState(null, '', hrefOf(to))
  const { path } = here.value
  here.value = readAddress()
  if (path !== here.value.path) scrollTo(0, 0)
}

/** Follows the browser's way back and forth, and clicks on links that lead to this page. */
export function followAddresses(): void {
  addEventListener('popstate', () => {
    here.value = readAddress()
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
