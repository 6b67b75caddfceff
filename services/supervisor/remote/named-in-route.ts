/** What follows these steps of a path, in words. */
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

/** Steps after a kind that name what is done, and no thing. */
const actions = new Set(['self', 'batch', 'check', 'redeliver', 'search', 'sign'])

/**
 * What a call names that may not be there: `list "recipes"`, or `index "slug" in the list "recipes"`.
 * @param route method and path, as a ListdError has them; null: the call names nothing
 */
export function namedInRoute(route: string): string | null {
  const [, path = ''] = route.split(' ')
  const steps = path.replace(/\?.*/, '').split('/').map(decodeURIComponent)
  const named = steps.flatMap((step, n) => {
    const kind = kinds.get(step)
    const name = steps[n + 1]
    return kind === undefined || !name || actions.has(name) ? [] : [{ kind, name }]
  })
  // What is named last is in what is named before it.
  const texts = named.map(({ kind, name }) => `${kind} "${name}"`).toReversed()
  return texts.length === 0 ? null : texts.join(' in the ')
}
