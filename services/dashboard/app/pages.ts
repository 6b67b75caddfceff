import type { ComponentType } from 'preact'
import { matchPath, type PathParts } from '../address/pattern.ts'
import { HomePage } from '../pages/home/home-page.tsx'
import { ItemsPage } from '../pages/items/items-page.tsx'
import { ListsPage } from '../pages/lists/lists-page.tsx'

/** A page is given the parts of its path that its pattern names. */
// biome-ignore lint/suspicious/noExplicitAny: only the pattern of a page says which parts it is given
type PageComponent = ComponentType<any>

/** What stands at the addresses of a pattern. `load`: its script comes when it is opened first. */
export type PageEntry = { path: string } & ({ page: PageComponent } | { load: () => Promise<PageComponent> })

/** Every page by its address. Addresses are public: mail and chat link to them. */
const pages: readonly PageEntry[] = [
  { path: '/', page: HomePage },
  { path: '/lists', page: ListsPage },
  {
    path: '/lists/:list/schema',
    load: async () => (await import('../pages/list-schema/schema-page.tsx')).SchemaPage,
  },
  {
    path: '/lists/:list/indexes',
    load: async () => (await import('../pages/list-indexes/indexes-page.tsx')).IndexesPage,
  },
  {
    path: '/lists/:list/settings',
    load: async () => (await import('../pages/list-settings/general-page.tsx')).GeneralPage,
  },
  { path: '/new-list', load: async () => (await import('../pages/new-list/new-list-page.tsx')).NewListPage },
  { path: '/schema', load: async () => (await import('../pages/schema/schema-page.tsx')).SchemaPage },
  {
    path: '/lists/:list/items/:item',
    load: async () => (await import('../pages/item/item-page.tsx')).ItemPage,
  },
  {
    path: '/lists/:list/new-item',
    load: async () => (await import('../pages/item/new-item-page.tsx')).NewItemPage,
  },
  { path: '/lists/:list/import', load: async () => (await import('../pages/import/import-page.tsx')).ImportPage },
  { path: '/lists/:list/export', load: async () => (await import('../pages/export/export-page.tsx')).ExportPage },
  { path: '/lists/:list', page: ItemsPage },
  { path: '/settings', load: async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage },
]

/** The page at a path, and the parts of that path which it is given; null: there is none. */
export function findPage(path: string): { entry: PageEntry; parts: PathParts } | null {
  for (const entry of pages) {
    const parts = matchPath(entry.path, path)
    if (parts) return { entry, parts }
  }
  return null
}
