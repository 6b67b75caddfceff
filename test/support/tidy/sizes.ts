import { dirname } from 'node:path'
import type { Finding, SourceFile } from './source-files.ts'

const maxFileLines = 300
const maxFunctionLines = 60
const maxFolderFiles = 15

/** Files too long to be read in one go; tests may be long, because a table or one subject is best read as a whole. */
export function longFiles(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(services|shared|client|bench|test\/support)\/.*\.tsx?$/.test(path))
    .filter(({ lines }) => lines.length > maxFileLines)
    .map(({ path, lines }) => ({
      path,
      line: maxFileLines,
      remedy: `has ${lines.length} lines; split it where the subject changes, below ${maxFileLines}`,
    }))
}

/** Folders that may have more files, with the reason. */
const largeFolders: Readonly<Record<string, string>> = {
  'deploy/helm/listd/templates': 'Helm has them in one folder',
  'docs/design': 'ARCHITECTURE.md lists its pages, each with a line about it',
  'shared/data/migrations': 'their numbers say in which order they are read',
  'test/fixtures/statements': 'tests write them: one for each statement and database',
}

/** Folders with too many files for a newcomer; nested folders do not count. */
export function fullFolders(files: readonly SourceFile[]): Finding[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders]
    .filter(([folder, { length }]) => length > maxFolderFiles && !Object.hasOwn(largeFolders, folder))
    .map(([folder, { length }]) => ({
      path: folder,
      line: 1,
      remedy: `has ${length} files; sort them into folders by subject, at most ${maxFolderFiles} in each`,
    }))
}

/** Functions too long to be read in one go, except components: markup is long. It relies on the formatter's indentation. */
export function longFunctions(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(services|shared|client)\/.*\.tsx?$/.test(path))
    .flatMap(functionsIn)
    .filter(({ path, name, length }) => length > maxFunctionLines && !isComponent(path, name))
    .map(({ path, line, name, length }) => ({
      path,
      line,
      remedy: `${name} has ${length} lines; split it into parts with names, below ${maxFunctionLines}`,
    }))
}

const isComponent = (path: string, name: string) => path.endsWith('.tsx') && /^[A-Z]/.test(name)

const functionStarts = [
  /^(\s*)(?:export )?(?:async )?function\*? (\w+)/,
  /^(\s*)(?:export )?const (\w+) = (?:async )?(?:<.*>)?\(.*\)(?:: .+)? => \{$/,
  // A method; its braces do not belong to a statement.
  /^(\s*)(?:(?:static|async|override|get|set) )*(?!(?:if|for|while|switch)\b)(#?\w+)(?:<.*>)?\(.*\)(?:: .+)? \{$/,
]

function functionsIn({ path, lines }: SourceFile): { path: string; line: number; name: string; length: number }[] {
  return lines.flatMap((text, n) => {
    const [, indent, name] = functionStarts.map((start) => start.exec(text)).find((match) => match) ?? []
    if (indent === undefined || name === undefined) return []
    // With a parenthesis it is a function that is passed on, for example to `map`.
    const ends = ['}', '},', '})'].map((end) => indent + end)
    const length = lines.slice(n).findIndex((line) => ends.includes(line)) + 1
    return [{ path, line: n + 1, name, length }]
  })
}
