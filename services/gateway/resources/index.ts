import type { TaggedRoutes } from '../http/openapi/document.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { signingRoutes } from './deliveries/signing/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { flowRoutes } from './flows/calls/routes.ts'
import { flowDefinitionRoutes } from './flows/definitions/routes.ts'
import { flowRunRoutes } from './flows/runs/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { identityManagementRoutes } from './identities/management/routes.ts'
import { identityRoutes } from './identities/routes.ts'
import { identityGroupRoutes } from './identity-groups/routes.ts'
import { indexRoutes } from './indexes/routes.ts'
import { itemBatchRoutes } from './items/batch/routes.ts'
import { itemDataRoutes } from './items/data/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { itemSearchRoutes } from './items/search/routes.ts'
import { visibleItemRoutes } from './items/visible/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { syncSchemaRoutes } from './schema-sync/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { authRoutes } from './users/routes.ts'
import { setupRoutes } from './users/setup/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The routes of every resource, by their tag in the API's description. */
const resources = {
  Lists: listRoutes,
  Indexes: indexRoutes,
  Items: [...itemRoutes, ...itemSearchRoutes, ...itemBatchRoutes, ...itemDataRoutes, ...visibleItemRoutes],
  Events: [...eventRoutes, ...statsRoutes, ...realtimeRoutes],
  'Schema sync': syncSchemaRoutes,
  Identities: [...identityRoutes, ...identityManagementRoutes, ...identityGroupRoutes],
  Flows: [...flowDefinitionRoutes, ...flowRoutes, ...flowRunRoutes],
  Webhooks: [...webhookRoutes, ...deliveryRoutes, ...signingRoutes],
  Tokens: tokenRoutes,
  Account: [...authRoutes, ...setupRoutes],
  Service: [...homeRoutes, ...healthRoutes, ...openApiRoutes(allResources)],
}

/** A sentence or two about each tag. */
const aboutTags: Record<keyof typeof resources, string> = {
  Lists: 'A list holds items. Its schema validates them, and its flags say who may do what.',
  Indexes:
    "An index reads one value of each item's data. Items can be addressed, ordered, filtered and searched by it, or the index hides the value.",
  Items: 'An item is any JSON value with a version. It is written as a whole, in part, or with others as a batch.',
  Events:
    'The event log has an entry for every change. Entries never change. Stats count them by day, and a stream reports them as they happen.',
  'Schema sync': 'One document declares lists and indexes. A sync brings the account into that state, all or nothing.',
  Identities: 'Identities are the users of your own product. They register, sign in, and own items.',
  Flows: 'A flow is a document that defines what a call of its path does. It is checked and tested before it is saved.',
  Webhooks:
    'A webhook gets a signed request for each event of its lists. Every attempt is in the log of its deliveries.',
  Tokens: 'An API token may do what its rules allow. Programs send it in `x-api-token`.',
  Account: 'Users sign in to manage the account: its tokens, webhooks and groups.',
  Service: 'The service reports its health, and describes itself.',
}

/** The whole API as one table. */
export const apiRoutes = Object.values(resources).flat()

/** Everything that the gateway serves: the API, and the files of the dashboard. */
export const routes = [...apiRoutes, ...dashboardRoutes]

function allResources(): TaggedRoutes {
  const tags = Object.keys(resources) as (keyof typeof resources)[]
  return Object.fromEntries(tags.map((tag) => [tag, { about: aboutTags[tag], routes: resources[tag] }]))
}
