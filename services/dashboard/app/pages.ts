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
  { path: '/lists/:list/schema', load: dataPage('ListSchemaPage') },
  { path: '/lists/:list/indexes', load: dataPage('IndexesPage') },
  { path: '/lists/:list/settings', load: dataPage('GeneralPage') },
  { path: '/new-list', load: dataPage('NewListPage') },
  { path: '/schema', load: dataPage('SchemaPage') },
  { path: '/lists/:list/items/:item', load: dataPage('ItemPage') },
  { path: '/lists/:list/new-item', load: dataPage('NewItemPage') },
  { path: '/lists/:list/import', load: dataPage('ImportPage') },
  { path: '/lists/:list/export', load: dataPage('ExportPage') },
  { path: '/lists/:list', page: ItemsPage },
  { path: '/events', load: dataPage('EventsPage') },
  { path: '/identities', load: dataPage('IdentitiesPage') },
  { path: '/identities/:identity', load: dataPage('IdentityPage') },
  { path: '/identity-groups', load: dataPage('GroupsPage') },
  { path: '/identity-groups/:group', load: dataPage('GroupPage') },
  { path: '/tokens', load: dataPage('TokensPage') },
  { path: '/tokens/:token', load: dataPage('TokenPage') },
  { path: '/new-token', load: dataPage('NewTokenPage') },
  { path: '/webhooks', load: dataPage('WebhooksPage') },
  { path: '/webhooks/:webhook', load: dataPage('WebhookPage') },
  { path: '/new-webhook', load: dataPage('NewWebhookPage') },
  { path: '/deliveries', load: dataPage('DeliveriesPage') },
  { path: '/settings', load: dataPage('SettingsPage') },
]

/** The page at a path, and the parts of that path which it is given; null: there is none. */
export function findPage(path: string): { entry: PageEntry; parts: PathParts } | null {
  for (const entry of pages) {
    const parts = matchPath(entry.path, path)
    if (parts) return { entry, parts }
  }
  return null
}

type DataPage = keyof typeof import('./data-pages.ts').dataPages

function dataPage(name: DataPage): () => Promise<PageComponent> {
  return async () => (await import('./data-pages.ts')).dataPages[name]
}
