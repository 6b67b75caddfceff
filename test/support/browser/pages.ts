/** A page of the dashboard, for the test of every page. */
export type VisitedPage = {
  /** The name of its pictures. */
  name: string
  /** Its address below /dashboard, in the account of `seed.ts`. */
  path: string
  /** The text of its heading. */
  heading: string
}

/** Every page once. Add a row for a new page. */
export const pages: readonly VisitedPage[] = [
  { name: 'home', path: '/', heading: 'Home' },
  { name: 'lists', path: '/lists', heading: 'Lists' },
  { name: 'new-list', path: '/new-list', heading: 'New list' },
  { name: 'items', path: '/lists/recipes', heading: 'Recipes' },
  { name: 'items-filtered', path: '/lists/recipes?serves=not:2&size=lt:999&where={"tagged":null}', heading: 'Recipes' },
  { name: 'items-found', path: '/lists/recipes?search=soup+ada', heading: 'Recipes' },
  { name: 'item', path: '/lists/recipes/items/pancakes', heading: 'The pancakes of <b>Ada</b>' },
  { name: 'item-text', path: '/lists/recipes/items/pancakes?view=text', heading: 'The pancakes of <b>Ada</b>' },
  { name: 'item-history', path: '/lists/recipes/items/pancakes?tab=history', heading: 'The pancakes of <b>Ada</b>' },
  { name: 'item-details', path: '/lists/recipes/items/pancakes?tab=details', heading: 'The pancakes of <b>Ada</b>' },
  { name: 'item-api', path: '/lists/recipes/items/pancakes?tab=api', heading: 'The pancakes of <b>Ada</b>' },
  { name: 'import', path: '/lists/recipes/import', heading: 'Recipes' },
  { name: 'export', path: '/lists/recipes/export', heading: 'Recipes' },
  { name: 'settings', path: '/settings', heading: 'Settings' },
  { name: 'new-item', path: '/lists/recipes/new-item', heading: 'New item' },
  { name: 'list-schema', path: '/lists/recipes/schema', heading: 'Recipes' },
  { name: 'list-indexes', path: '/lists/recipes/indexes', heading: 'Recipes' },
  { name: 'list-activity', path: '/lists/recipes/activity', heading: 'Recipes' },
  { name: 'list-settings', path: '/lists/recipes/settings', heading: 'Recipes' },
  { name: 'schema', path: '/schema', heading: 'Schema' },
  { name: 'schema-export', path: '/schema?tab=export&scope=cookbook', heading: 'Schema' },
  { name: 'schema-scopes', path: '/schema?tab=scopes', heading: 'Schema' },
  { name: 'schema-no-plan', path: '/schema?tab=plan', heading: 'Plan' },
  { name: 'events', path: '/events', heading: 'Events' },
  { name: 'identities', path: '/identities', heading: 'Identities' },
  { name: 'identity-groups', path: '/identity-groups', heading: 'Groups' },
  { name: 'identity-group', path: '/identity-groups/members', heading: 'members' },
  { name: 'tokens', path: '/tokens', heading: 'Tokens' },
  { name: 'new-token', path: '/new-token', heading: 'New token' },
  { name: 'webhooks', path: '/webhooks', heading: 'Webhooks' },
  { name: 'new-webhook', path: '/new-webhook', heading: 'New webhook' },
  { name: 'deliveries', path: '/deliveries?status=failed', heading: 'Deliveries' },
  { name: 'flows', path: '/flows', heading: 'Flows' },
  { name: 'new-flow', path: '/new-flow', heading: 'New flow' },
  { name: 'flow', path: '/flows/vote%20%3Cb%3E', heading: 'Vote <b>' },
  { name: 'flow-tests', path: '/flows/vote%20%3Cb%3E?tab=tests', heading: 'Vote <b>' },
  { name: 'flow-try', path: '/flows/vote%20%3Cb%3E?tab=try', heading: 'Vote <b>' },
  { name: 'runs', path: '/runs', heading: 'Runs' },
  { name: 'flow-versions', path: '/flows/vote%20%3Cb%3E?tab=versions', heading: 'Vote <b>' },
  { name: 'flow-settings', path: '/flows/vote%20%3Cb%3E?tab=settings', heading: 'Vote <b>' },
  { name: 'no-page', path: '/nothing/here', heading: 'Page not found' },
]
