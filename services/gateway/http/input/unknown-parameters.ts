import { didYouMean, maxHints, misspelled } from '#shared/domain/text/nearest.ts'
import { errorPath, type FieldError } from '#shared/errors.ts'

/** Existing clients send these to every route, so they are ignored where they have no meaning (contract 1.1). */
const ignored: ReadonlySet<string> = new Set(['pointer', 'generate', 'listId', 'itemId', 'indexId', 'identityId'])

/** The allowed parameters of a query: those of the route, and `others`, which depend on the request's list; errors quote `description`. */
type KnownParameters = {
  parameters: readonly string[]
  others?: { names: readonly string[]; description: string }
}

/** The errors of parameters that a route does not know (contract 1.1): the first few suggest a parameter, or list all of them. */
export function unknownParameters(names: readonly string[], known: KnownParameters): FieldError[] {
  return names
    .filter((name) => !isIgnored(name))
    .map((name, position) => {
      const path = errorPath('', name)
      const hint = position < maxHints ? hintFor(name, known) : ''
      return { path: path || 'query', message: `"${path}" is not a query parameter of this route${hint}` }
    })
}

function isIgnored(name: string): boolean {
  return name.startsWith('_') || ignored.has(name)
}

function hintFor(name: string, { parameters, others }: KnownParameters): string {
  const candidates = [...parameters, ...(others?.names ?? [])]
  const [, before, within] = /^([^[]*)\[([^\]]*)\]/.exec(name) ?? []
  if (before !== undefined && within !== undefined) {
    const near = misspelled(within, candidates) ?? misspelled(before, candidates)
    if (near !== undefined) return `; write it without brackets, as ${near}=…`
  }
  const hint = didYouMean(name, candidates)
  if (hint) return hint
  if (parameters.length === 0) return ', which has none'
  return `; it has ${parameters.join(', ')}${others ? ` and ${others.description}` : ''}`
}
