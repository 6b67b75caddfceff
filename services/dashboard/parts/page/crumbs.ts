import { route } from '#client/src/transport.ts'

/** A parent of the present page. */
export type Crumb = { to: string; label: string }

export const listsCrumb: Crumb = { to: '/lists', label: 'Lists' }
export const identitiesCrumb: Crumb = { to: '/identities', label: 'Identities' }
export const groupsCrumb: Crumb = { to: '/identity-groups', label: 'Groups' }
export const tokensCrumb: Crumb = { to: '/tokens', label: 'Tokens' }
export const webhooksCrumb: Crumb = { to: '/webhooks', label: 'Webhooks' }
export const flowsCrumb: Crumb = { to: '/flows', label: 'Flows' }
export const runsCrumb: Crumb = { to: '/runs', label: 'Runs' }
export const schemaCrumb: Crumb = { to: '/schema', label: 'Schema' }

/** The parents of an item page. */
export const itemCrumbs = (list: string): readonly Crumb[] => [listsCrumb, { to: route`/lists/${list}`, label: list }]
