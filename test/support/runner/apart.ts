import type { SourceFile } from '../tidy/source-files.ts'

/**
 * Why a test file needs a separate process; null: it shares the process of its room. A file whose reason this list does not know is
 * found when it runs: a room fails the part that leaves the process changed (`process-state.ts`).
 */
export function whyApart({ path, lines }: SourceFile): string | null {
  const text = lines.join('\n')
  return reasons.find(({ of, has }) => of.test(path) && has.test(text))?.why ?? null
}

const anywhere = /^/

const reasons = [
  { why: 'starts, kills or configures a listd', of: /^test\/(e2e|soak)\//, has: /^(?![\s\S]*\bsharedListd\b)/ },
  { why: 'drives a browser', of: /^test\/browser\//, has: anywhere },
  { why: 'runs a program of others', of: /^test\/(openapi-(client|linters)|containers)\//, has: anywhere },
  {
    why: 'runs a service, which sets up its process',
    of: anywhere,
    has: /\bstartService\b.* from '#services\/gateway\/main\.ts'/,
  },
  {
    why: 'measures what the process holds',
    of: anywhere,
    has: /\b(memoryUsage|queryObjects|getActiveResourcesInfo)\b|support\/load\/memory\.ts/,
  },
  {
    why: 'changes the process',
    of: anywhere,
    has: /\bprocess\.(env\.\w+ = |umask\(|chdir\()|\bObject\.assign\(globalThis\b|\bglobalThis\.\w+ = /,
  },
] as const
