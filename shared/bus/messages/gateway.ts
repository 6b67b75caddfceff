import Joi from 'joi'

/** Broadcasts between gateways. */
export const gatewayBroadcasts = {
  /** Doorbell: there is an index to build. */
  'gateway.build': Joi.object<Record<string, never>>({}),
} as const
