import type { Finding, SourceFile } from './source-files.ts'

/**
 * Cycles of imports; each cycle once. Imports of types alone count, too: the files of such a cycle cannot be read one by one. In every
 * folder of the product, its files and folders form no cycle: so neither do rooms, nor the folders of a room, nor files. Outside the
 * product, files form no cycle; folders may, because they only sort what helps tests.
 */
export function cycleFindings(files: readonly SourceFile[]): Finding[] {
  const product = files.filter(({ path }) => /^(services|shared|client)\/.*\.tsx?$/.test(path))
  const folders = new Set(product.flatMap(({ path }) => foldersOf(path)))
  const others = files.filter(({ path }) => /^(test|bench|scripts)\/.*\.tsx?$/.test(path))
  return [
    ...[...folders].flatMap((folder) => ringFindings(product, nodesIn(folder))),
    ...ringFindings(others, (path) => path),
  ]
}

function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))
}

/** The first import from one to another. */
type Edge = { path: string; line: number }

/** The direct child of a folder that a path belongs to: a file, or a folder; null: the path is elsewhere. @param folder ends with a slash */
function nodesIn(folder: string): (path: string) => string | null {
  return (path) => (path.startsWith(folder) ? folder + path.slice(folder.length).replace(/\/.*/, '') : null)
}

/** The cycles of the nodes to which files belong. */
function ringFindings(files: readonly SourceFile[], nodeOf: (path: string) => string | null): Finding[] {
  const edges = new Map<string, Map<string, Edge>>()
  for (const { path, imports } of files) {
    const from = nodeOf(path)
    for (const { target, line } of from === null ? [] : imports) {
      const to = target === null ? null : nodeOf(target)
      if (from === null || to === null || to === from) continue
      const known = edges.get(from) ?? new Map<string, Edge>()
      edges.set(from, known.set(to, known.get(to) ?? { path, line }))
    }
  }
  return searchRings(edges)
}

/** Depth first; a node is visited once, so a cycle is reported by the first edge that closes it. */
function searchRings(edges: ReadonlyMap<string, ReadonlyMap<string, Edge>>): Finding[] {
  const findings: Finding[] = []
  const done = new Set<string>()

  function visit(node: string, trail: readonly string[]): void {
    done.add(node)
    for (const [to, { path, line }] of edges.get(node) ?? []) {
      const at = [...trail, node].indexOf(to)
      if (at >= 0)
        findings.push({ path, line, remedy: `closes a ring: ${[...trail, node, to].slice(at).join(' -> ')}` })
      else if (!done.has(to)) visit(to, [...trail, node])
    }
  }

  for (const node of edges.keys()) if (!done.has(node)) visit(node, [])
  return findings
}
