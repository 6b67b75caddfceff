import Joi from 'joi'
import { lengths } from '#shared/domain/limits.ts'
import { deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryDate } from '../../http/query.ts'

/** Query of GET /webhooks/{webhook}/deliveries. */
export const listDeliveriesQuery = pageQuerySchema({
  orders: ['createdAt'],
  filters: {
    status: Joi.valid(...deliveryStatuses),
    event: textFilterSchema(),
    itemId: Joi.string().max(lengths.url),
  },
})

/** Body of POST /webhooks/{webhook}/deliveries/redeliver. */
export const redeliverFailedBody = Joi.object({
  status: Joi.valid('failed').required(),
  since: queryDate().required(),
})
