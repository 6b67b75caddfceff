/** The kind of resource whose name follows this segment of a path. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['lists', 'list'],
  ['items', 'item'],
  ['indexes', 'index'],
  ['webhooks', 'webhook'],
  ['deliveries', 'delivery'],
  ['flow-definitions', 'flow'],
  ['flow-runs', 'run'],
  ['identities', 'identity'],
  ['identity-groups', 'identity group'],
  ['events', 'event'],
  ['tokens', 'token'],
  ['versions', 'version'],
])

/** Segments after a kind that name an action, not a resource. */
const actions = new Set(['self', 'batch', 'check', 'redeliver', 'search', 'sign'])

/**
 * The resource that a call names and that may not exist: `list "recipes"`, or `index "slug" in the list "recipes"`.
 * @param route method and path, as a ListdError has them; null: the call names no resource
 */
export function namedInRoute(route: string): string | null {
  const [, path = ''] = route.split(' ')
  const steps = path.replace(/\?.*/, '').split('/').map(decodeURIComponent)
  const named = steps.flatMap((step, n) => {
    const kind = kinds.get(step)
    const name = steps[n + 1]
    return kind === undefined || !name || actions.has(name) ? [] : [{ kind, name }]
  })
  // A resource is inside the one that is named before it.
  const texts = named.map(({ kind, name }) => `${kind} "${name}"`).toReversed()
  return texts.length === 0 ? null : texts.join(' in the ')
}
