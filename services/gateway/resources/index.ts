import { authRoutes } from './account/routes.ts'
import { setupRoutes } from './account/setup/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { identityRoutes } from './identities/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { syncSchemaRoutes } from './schema-sync/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The whole API as one table. */
export const routes = [
  ...healthRoutes,
  ...authRoutes,
  ...setupRoutes,
  ...identityRoutes,
  ...syncSchemaRoutes,
  ...listRoutes,
  ...itemRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
]
