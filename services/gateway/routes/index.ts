import type { Route } from '../http/route.ts'
import { authRoutes } from './auth/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { itemRoutes } from './items/routes.ts'
import { syncSchemaRoutes } from './sync-schema/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The whole API as one table. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  ...authRoutes,
  ...syncSchemaRoutes,
  ...itemRoutes,
  ...webhookRoutes,
]
