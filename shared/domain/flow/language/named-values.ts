import { isNamed } from '../../expression/children.ts'
import type { Flow } from './flow.ts'
import { expressionsOf } from './steps.ts'

/** Whether an expression or helper of a flow names a value, such as `identity`. */
export function namesValue({ nodes, helpers }: Pick<Flow, 'nodes' | 'helpers'>, name: string): boolean {
  return (
    [...nodes.values()].some((node) => expressionsOf(node).some((expression) => isNamed(expression.node, name))) ||
    [...helpers.values()].some(({ parameters, body }) => !parameters?.includes(name) && isNamed(body, name))
  )
}
