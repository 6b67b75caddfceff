/** All services; they start together. */
export const serviceNames = ['gateway', 'webhook-dispatcher', 'identity'] as const

export type ServiceName = (typeof serviceNames)[number]
