import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An import: its name, its line, and the project file that it means (a path from the root), if any. */
export type Import = { specifier: string; line: number; target: string | null }

/** A text file of the project; its path counts from the root. */
export type SourceFile = { path: string; lines: readonly string[]; imports: readonly Import[] }

/** A finding: the place, and what to do about it. */
export type Finding = { path: string; line: number; remedy: string }

const root = join(import.meta.dirname, '../../..')
const folders = ['.ci', 'bench', 'client', 'config', 'deploy', 'docs', 'scripts', 'services', 'shared', 'test']
const texts = /\.(tsx?|js|json|md|sh|sql|txt|yaml|yml|css|html|conf|service)$|^(Makefile|Dockerfile)$|^[^.]+$/

const madeByPrograms = /(^|\/)package-lock\.json$|\/node_modules\/|^client\/dist\//

/** Every text file of the project, TypeScript with its imports. */
export function readSourceFiles(): SourceFile[] {
  const top = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile() && texts.test(entry.name))
  const paths = [...top.map(({ name }) => name), ...folders.flatMap(listFolder)]
  return paths.filter((path) => !madeByPrograms.test(path)).map(readSourceFile)
}

function listFolder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && texts.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

function readSourceFile(path: string): SourceFile {
  return toSourceFile(path, readFileSync(join(root, path), 'utf8'))
}

export function toSourceFile(path: string, text: string): SourceFile {
  return { path, lines: text.split('\n'), imports: /\.tsx?$/.test(path) ? importsIn(path, text) : [] }
}

const statement = /^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

function importsIn(path: string, text: string): Import[] {
  return [...text.matchAll(statement)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    // The line of the specifier: an import list may span several.
    const line = text.slice(0, match.index + match[0].length).split('\n').length
    return { specifier, line, target: targetOf(path, specifier) }
  })
}

function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  return specifier.startsWith('#') ? specifier.slice(1) : null
}
