import type { Observed } from '#shared/json-schema/infer/observe.ts'
import { isWrapperName, type Samples } from '#shared/json-schema/infer/samples.ts'

/** A name for a list of items: the name of their array, or the kind that the items have in common. */
export function proposeName({ from }: Pick<Samples, 'from'>, observed: Observed): string {
  if (from !== null && !isWrapperName(from)) return words(from)
  const kind = kindName(observed)
  return kind ? words(plural(kind)) : 'My list'
}

/** The kind of the items. For example `recipe`, if every item has this `type`, or a different `recipeId`. */
function kindName({ properties, count }: Observed): string | undefined {
  for (const name of ['type', 'kind', '_type', '@type', 'object']) {
    const [[value, times] = ['', 0], ...others] = properties.get(name)?.texts.short ?? []
    if (others.length === 0 && times === count && count > 1 && /^[A-Za-z][\w-]*$/.test(value)) return value
  }
  const id = [...properties].find(([name, { texts, count: seen }]) => {
    return /.(Id|_id)$/.test(name) && count > 1 && seen === count && texts.short.size === count
  })
  return id?.[0].replace(/_?id$/i, '')
}

function plural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`
}

/** Converts `shoppingItems` to `Shopping items`. */
function words(name: string): string {
  const apart = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return apart.charAt(0).toUpperCase() + apart.slice(1)
}
