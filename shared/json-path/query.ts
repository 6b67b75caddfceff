/** A JSONPath query (RFC 9535), parsed and checked. */
export type JsonPath = { readonly segments: readonly Segment[] }

/** A step of a query: from each node to what its selectors choose below it, or, with `descendant`, at any depth. */
export type Segment = { descendant: boolean; selectors: readonly Selector[] }

export type Selector =
  | { kind: 'name'; name: string }
  | { kind: 'wildcard' }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; start: number | null; end: number | null; step: number }
  | { kind: 'filter'; test: Test }

/** A test of a filter on a node: true or false. */
export type Test =
  | { kind: 'or' | 'and'; tests: readonly Test[] }
  | { kind: 'not'; test: Test }
  | { kind: 'exists'; query: FilterQuery }
  | { kind: 'compare'; operator: Operator; left: Comparable; right: Comparable }
  | { kind: 'call'; name: 'match' | 'search'; text: Comparable; pattern: Comparable }

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A value that a filter compares or passes to a function. A query in one finds at most one node. */
export type Comparable =
  | { kind: 'literal'; scalar: Scalar }
  | { kind: 'query'; query: FilterQuery }
  | { kind: 'length'; of: Comparable }
  | { kind: 'count' | 'value'; query: FilterQuery }

/** A query in a filter: of the whole value (`$`) or of the node that the filter looks at (`@`). */
export type FilterQuery = JsonPath & { from: 'root' | 'current' }

/** A number is its text, so that no digit is lost. */
export type Scalar =
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string }
  | { kind: 'name'; text: 'true' | 'false' | 'null' }

/** Whether a query finds at most one node, whatever the value is. */
export function isSingular({ segments }: JsonPath): boolean {
  return segments.every(
    ({ descendant, selectors: [first, ...others] }) =>
      !descendant && others.length === 0 && (first?.kind === 'name' || first?.kind === 'index'),
  )
}
