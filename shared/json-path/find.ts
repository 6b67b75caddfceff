import { JsonTree } from '#shared/json/text/tree.ts'
import { selectNodes } from './evaluate.ts'
import type { JsonPath } from './query.ts'
import { PathSteps } from './steps.ts'

/**
 * Finds values in JSON texts by a path. The budget of one call applies to all of its texts together.
 * @returns a function from a compact, valid JSON text to the text of the array of the values found, in the order of RFC 9535, members in
 * the order of the text; each keeps its own text. It throws PathTooCostly.
 */
export function valueFinder(path: JsonPath): (text: string) => string {
  const steps = new PathSteps()
  return (text) => {
    steps.begin()
    const tree = new JsonTree(text)
    const found = selectNodes({ tree, steps, patterns: new Map() }, path).map((node) => {
      const value = tree.textOf(node)
      steps.find(value.length)
      return value
    })
    return `[${found.join(',')}]`
  }
}
