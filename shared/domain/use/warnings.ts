import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { counted } from '../text/counted.ts'
import type { Loss } from './losses.ts'
import { type Dependent, dependentKinds, useKey, useKinds } from './use.ts'

/** The dependents found for uses. */
export type FoundDependents = {
  /** By `useKey`; a use without dependents may be absent. */
  byUse: ReadonlyMap<string, readonly Dependent[]>
  /** There are so many dependents that some may be missing. */
  isCut: boolean
}

/** Maximum dependents that one warning names; the others are counted. */
const mostNamed = 5

/**
 * A warning for each loss and each kind of dependents.
 * @param mayName whether the receiver of the warnings may see the name of a dependent; otherwise it is counted
 */
export function lossWarnings(
  losses: readonly Loss[],
  { byUse, isCut }: FoundDependents,
  mayName: (dependent: Dependent) => boolean,
): string[] {
  const warnings = losses.flatMap(({ use, cause }) => {
    const byKind = Map.groupBy(byUse.get(useKey(use)) ?? [], ({ kind }) => kind)
    return [...byKind].map(([kind, dependents]) => {
      const said = useKinds[use.kind][dependents.length === 1 ? 0 : 1]
      return `${cause}, and ${dependentsInWords(kind, dependents, mayName)} ${said}.`
    })
  })
  return isCut && losses.length > 0 ? [...warnings, notAll] : warnings
}

const notAll = 'There are too many dependents to look up all of them.'

function dependentsInWords(
  kind: Dependent['kind'],
  dependents: readonly Dependent[],
  mayName: (dependent: Dependent) => boolean,
): string {
  const [one, several] = dependentKinds[kind]
  const named = dependents
    .filter(mayName)
    .map(({ name }) => name)
    .sort(compareTexts)
    .slice(0, mostNamed)
    .map((name) => JSON.stringify(name))
  const more = dependents.length - named.length
  if (named.length === 0) return counted(more, one, several)
  const last = more > 0 ? `${counted(more, 'other', 'others')}` : named.pop()
  const all = named.length > 0 ? `${named.join(', ')} and ${last}` : last
  return `the ${dependents.length === 1 ? one : several} ${all}`
}
