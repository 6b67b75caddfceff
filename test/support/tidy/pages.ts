import type { Finding, SourceFile } from './source-files.ts'

/** The pages that describe the current code; the changelog names earlier files. */
const pages = /^(docs\/.*|(?!CHANGELOG)[^/]+)\.md$/
const quoted = /`(?:\.\.?\/)*([\w-][\w./-]*?)\/?`/g
const linked = /\]\((?:\.\.?\/)*([\w-][\w./-]*?)\/?[)#]/g
const ours = /^(services|shared|test|bench|deploy|scripts|docs)\/|^[\w./-]+\.(ts|sh|md)$/

/** Files and folders that pages name but that do not exist. A path may begin in any folder. */
export function pageFindings(files: readonly SourceFile[]): Finding[] {
  const paths = files.map(({ path }) => `/${path}`)
  const exists = (name: string) => paths.some((path) => path.endsWith(`/${name}`) || path.startsWith(`/${name}/`))
  return files
    .filter(({ path }) => pages.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, n) =>
        [...line.matchAll(quoted), ...line.matchAll(linked)]
          .map(([, name = '']) => name)
          .filter((name) => ours.test(name) && !exists(name))
          .map((name) => ({ path, line: n + 1, remedy: `${name} is not there: name the file that is meant` })),
      ),
    )
}
