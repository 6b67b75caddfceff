import type { ExecutionContext } from 'ava'
import { inPage } from './in-page.ts'
import type { Visitor } from './visitor.ts'

/** In the page: everything that a script could read, and the visible content. */
const kept = `(async () => ({
  page: document.documentElement.outerHTML,
  fields: [...document.querySelectorAll('input, textarea')].map((field) => field.value),
  storage: [{ ...localStorage }, { ...sessionStorage }],
  databases: await indexedDB.databases(),
  caches: await caches.keys(),
  history: history.state,
  address: location.href,
  cookies: document.cookie,
}))()`

/** Asserts that a browser does not store or show any of these texts, and has not sent one in an address. */
export async function assertKeepsNoSecret(
  t: ExecutionContext,
  { page, requested }: Visitor,
  secrets: readonly string[],
): Promise<void> {
  const places = { ...(await inPage<Record<string, unknown>>(page, kept)), requested }
  for (const [place, value] of Object.entries(places)) {
    const text = JSON.stringify(value) ?? ''
    for (const secret of secrets) t.false(text.includes(secret), place)
  }
}
