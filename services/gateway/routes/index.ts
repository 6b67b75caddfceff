import type { Route } from '../http/route.ts'
import { authRoutes } from './auth/routes.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { identityRoutes } from './identities/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { listRoutes } from './lists/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { syncSchemaRoutes } from './sync-schema/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The whole API as one table. */
export const routes: readonly Route[] = [
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
