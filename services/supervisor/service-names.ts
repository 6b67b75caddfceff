/** All services, in the order in which they stop; they start together. */
export const serviceNames = ['gateway', 'webhook-dispatcher', 'identity'] as const

export type ServiceName = (typeof serviceNames)[number]
