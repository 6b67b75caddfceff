import { misspelled } from '#shared/domain/text/nearest.ts'

/** The path that the client of an unknown path probably meant; null if the path resembles no route. */
export type NearPath = (path: string) => string | null

/**
 * Creates a function that finds the intended path: one of its names may have typos, and a version, `api` or slashes may be superfluous.
 * @param templates the paths of all routes, with parameters in braces
 */
export function createNearPath(templates: readonly string[]): NearPath {
  const routes = [...new Set(templates)].map((template) => template.split('/').slice(1))
  return (path) => {
    const [first = '', ...rest] = path.split('/').filter((step) => step !== '')
    const steps = /^(api|v\d+)$/i.test(first) ? rest : [first, ...rest]
    const alike = routes.filter(({ length }) => length === steps.length)
    const near = alike.map((route) => correct(steps, route)).find((corrected) => corrected !== null)
    return near ? `/${near.join('/')}` : null
  }
}

/** The segments with the names of a route, if they match except for typos in one name; null otherwise. */
function correct(steps: readonly string[], route: readonly string[]): string[] | null {
  const wrong = route.flatMap((name, n) => (name.startsWith('{') || name === steps[n] ? [] : [n]))
  const [n = -1, ...others] = wrong
  const [step, name] = [steps[n], route[n]]
  if (others.length > 0) return null
  if (step === undefined || name === undefined) return [...steps]
  return misspelled(step, [name]) === undefined ? null : steps.with(n, name)
}
