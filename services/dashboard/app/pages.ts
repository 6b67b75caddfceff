import type { ComponentType } from 'preact'
import { matchPath, type PathParts } from '../address/pattern.ts'
import { HomePage } from '../pages/home/home-page.tsx'
import { ItemsPage } from '../pages/items/items-page.tsx'
import { ListsPage } from '../pages/lists/lists-page.tsx'

/** A page. Its props are the named segments of its path. */
// biome-ignore lint/suspicious/noExplicitAny: the props of a page depend on its pattern
type PageComponent = ComponentType<any>

/** A page and the pattern of its addresses. `load`: its script is loaded when it is first opened. */
export type PageEntry = { path: string } & ({ page: PageComponent } | { load: () => Promise<PageComponent> })

/** Every page by its address. Addresses are public: mail and chat link to them. */
const pages: readonly PageEntry[] = [
  { path: '/', page: HomePage },
  { path: '/lists', page: ListsPage },
  { path: '/lists/:list/schema', load: laterPage('ListSchemaPage') },
  { path: '/lists/:list/indexes', load: laterPage('IndexesPage') },
  { path: '/lists/:list/activity', load: laterPage('ActivityPage') },
  { path: '/lists/:list/settings', load: laterPage('GeneralPage') },
  { path: '/new-list', load: laterPage('NewListPage') },
  { path: '/schema', load: laterPage('SchemaPage') },
  { path: '/lists/:list/items/:item', load: laterPage('ItemPage') },
  { path: '/lists/:list/new-item', load: laterPage('NewItemPage') },
  { path: '/lists/:list/import', load: laterPage('ImportPage') },
  { path: '/lists/:list/export', load: laterPage('ExportPage') },
  { path: '/lists/:list', page: ItemsPage },
  { path: '/events', load: laterPage('EventsPage') },
  { path: '/identities', load: laterPage('IdentitiesPage') },
  { path: '/identities/:identity', load: laterPage('IdentityPage') },
  { path: '/identity-groups', load: laterPage('GroupsPage') },
  { path: '/identity-groups/:group', load: laterPage('GroupPage') },
  { path: '/tokens', load: laterPage('TokensPage') },
  { path: '/tokens/:token', load: laterPage('TokenPage') },
  { path: '/new-token', load: laterPage('NewTokenPage') },
  { path: '/webhooks', load: laterPage('WebhooksPage') },
  { path: '/webhooks/:webhook', load: laterPage('WebhookPage') },
  { path: '/new-webhook', load: laterPage('NewWebhookPage') },
  { path: '/deliveries', load: laterPage('DeliveriesPage') },
  { path: '/flows', load: laterPage('FlowsPage') },
  { path: '/flows/:flow', load: laterPage('FlowPage') },
  { path: '/runs', load: laterPage('RunsPage') },
  { path: '/runs/:run', load: laterPage('RunPage') },
  { path: '/new-flow', load: laterPage('NewFlowPage') },
  { path: '/settings', load: laterPage('SettingsPage') },
]

/** The page at a path, and the named segments of the path; null: there is no such page. */
export function findPage(path: string): { entry: PageEntry; parts: PathParts } | null {
  for (const entry of pages) {
    const parts = matchPath(entry.path, path)
    if (parts) return { entry, parts }
  }
  return null
}

type LaterPage = keyof typeof import('./later-pages.ts').laterPages

function laterPage(name: LaterPage): () => Promise<PageComponent> {
  return async () => (await import('./later-pages.ts')).laterPages[name]
}
