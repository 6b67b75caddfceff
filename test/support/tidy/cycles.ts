import { roomOf } from './rooms.ts'
import type { Finding, SourceFile } from './source-files.ts'

/**
 * Files that load each other in a ring, and rooms that know each other in a ring; each ring once. A file may take types
 * from one that loads it (an interface and its implementation); a room may not even do that.
 */
export function cycleFindings(files: readonly SourceFile[]): Finding[] {
  const ours = files.filter(({ path }) => /^(services|shared)\/.*\.ts$/.test(path))
  const loaded = ours.map((file) => ({ ...file, imports: file.imports.filter(({ typeOnly }) => !typeOnly) }))
  return [...ringFindings(loaded, (path) => path), ...ringFindings(ours, roomOf)]
}

type Edge = { to: string; path: string; line: number }

function ringFindings(files: readonly SourceFile[], nodeOf: (path: string) => string): Finding[] {
  const edges = new Map<string, Edge[]>()
  for (const { path, imports } of files) {
    for (const { target, line } of imports) {
      if (target === null || nodeOf(target) === nodeOf(path)) continue
      const known = edges.get(nodeOf(path)) ?? []
      edges.set(nodeOf(path), [...known, { to: nodeOf(target), path, line }])
    }
  }
  return searchRings(edges)
}

/** Depth first; a node is looked at once, so a ring is told by the first edge that closes it. */
function searchRings(edges: ReadonlyMap<string, readonly Edge[]>): Finding[] {
  const findings: Finding[] = []
  const done = new Set<string>()

  function visit(node: string, trail: readonly string[]): void {
    done.add(node)
    for (const { to, path, line } of edges.get(node) ?? []) {
      const at = [...trail, node].indexOf(to)
      if (at >= 0)
        findings.push({ path, line, remedy: `closes a ring: ${[...trail, node, to].slice(at).join(' -> ')}` })
      else if (!done.has(to)) visit(to, [...trail, node])
    }
  }

  for (const node of edges.keys()) if (!done.has(node)) visit(node, [])
  return findings
}
