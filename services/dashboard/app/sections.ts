export type Section = {
  /** The path of its first page. Pages below that path belong to it too. */
  to: string
  label: string
  icon: 'home' | 'lists' | 'people' | 'key' | 'webhooks' | 'flows' | 'time' | 'schema' | 'settings'
  /** The paths of its other pages. */
  also?: readonly string[]
  /** Whether it is in a menu on a phone. */
  more?: true
}

/** The sections of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/lists', label: 'Lists', icon: 'lists', also: ['/new-list'] },
  { to: '/identities', label: 'Identities', icon: 'people', also: ['/identity-groups'], more: true },
  { to: '/tokens', label: 'Tokens', icon: 'key', also: ['/new-token'] },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhooks', also: ['/new-webhook', '/deliveries'] },
  { to: '/flows', label: 'Flows', icon: 'flows', also: ['/new-flow', '/runs'] },
  { to: '/events', label: 'Events', icon: 'time', more: true },
  { to: '/schema', label: 'Schema', icon: 'schema', more: true },
  { to: '/settings', label: 'Settings', icon: 'settings', more: true },
]

/** Whether the page at a path is in a section. */
export function isInSection(path: string, { to, also = [] }: Section): boolean {
  if (to === '/') return path === '/'
  return [to, ...also].some((start) => `${path}/`.startsWith(`${start}/`))
}
