import type { Finding, SourceFile } from './source-files.ts'

/**
 * Rings of imports; each ring once. Imports of types alone count, too: a ring of them cannot be read one by one. In every folder of
 * the product, the files and folders in it know each other in no ring: so neither do rooms, nor the folders of a room, nor files.
 * Of what is not the product, the files know each other in no ring; its folders may, because they only sort what helps tests.
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

/** The first import that leads from one to another. */
type Edge = { path: string; line: number }

/** What a path belongs to directly in a folder: a file, or a folder; null: it is elsewhere. @param folder ends with a slash */
function nodesIn(folder: string): (path: string) => string | null {
  return (path) => (path.startsWith(folder) ? folder + path.slice(folder.length).replace(/\/.*/, '') : null)
}

/** The rings of the nodes to which files belong. */
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

/** Depth first; a node is looked at once, so a ring is reported by the first edge that closes it. */
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
