export type Section = {
  /** Its first page; the pages below that path are in it too. */
  to: string
  label: string
  icon: 'home' | 'lists' | 'people' | 'key' | 'webhooks' | 'flows' | 'time' | 'schema' | 'settings'
  /** Where its other pages are. */
  also?: readonly string[]
  /** On a phone it is behind a menu. */
  more?: true
}

/** The parts of the dashboard, as the navigation has them. */
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
