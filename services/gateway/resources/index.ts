import type { TaggedRoutes } from '../http/openapi/document.ts'
import { authRoutes } from './account/routes.ts'
import { setupRoutes } from './account/setup/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { identityManagementRoutes } from './identities/manage-routes.ts'
import { identityRoutes } from './identities/routes.ts'
import { identityGroupRoutes } from './identity-groups/routes.ts'
import { indexRoutes } from './indexes/routes.ts'
import { itemBatchRoutes } from './items/batch/routes.ts'
import { itemDataRoutes } from './items/data/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { syncSchemaRoutes } from './schema-sync/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The routes of every resource, by the tag that they have in the API's description. */
const resources = {
  Lists: listRoutes,
  Indexes: indexRoutes,
  Items: [...itemRoutes, ...itemBatchRoutes, ...itemDataRoutes],
  Events: eventRoutes,
  'Schema sync': syncSchemaRoutes,
  Identities: [...identityRoutes, ...identityManagementRoutes, ...identityGroupRoutes],
  Webhooks: [...webhookRoutes, ...deliveryRoutes],
  Tokens: tokenRoutes,
  Account: [...authRoutes, ...setupRoutes],
  Service: [...healthRoutes, ...openApiRoutes(allResources)],
}

/** The whole API as one table. */
export const routes = Object.values(resources).flat()

function allResources(): TaggedRoutes {
  return resources
}
