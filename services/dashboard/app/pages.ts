import type { ComponentType } from 'preact'
import { matchPath, type PathParts } from '../address/pattern.ts'
import { HomePage } from '../pages/home/home-page.tsx'
import { ListsPage } from '../pages/lists/lists-page.tsx'

/** A page is given the parts of its path that its pattern names. */
// biome-ignore lint/suspicious/noExplicitAny: only the pattern of a page says which parts it is given
export type PageComponent = ComponentType<any>

/** How a page comes: at once, with the first script, or in one of its own when it is opened. */
type Source = { page: PageComponent } | { load: () => Promise<PageComponent> }

/** Every page by its address. Addresses are public: mail and chat link to them. */
const pages: readonly ({ path: string } & Source)[] = [
  { path: '/', page: HomePage },
  { path: '/lists', page: ListsPage },
]

export type FoundPage = { path: string; parts: PathParts; source: Source }

/** The page at a path; null: there is none. */
export function findPage(path: string): FoundPage | null {
  for (const { path: pattern, ...source } of pages) {
    const parts = matchPath(pattern, path)
    if (parts) return { path: pattern, parts, source }
  }
  return null
}
