import type { Finding, SourceFile } from './source-files.ts'

/**
 * A unit test stands where its source stands: `test/unit/<room>/<name>.test.ts` tests a file `<name>.ts` of that room of
 * shared or services, or of client; `test/unit/docs/<name>.test.ts` tests a page of docs.
 */
export function mirrorFindings(files: readonly SourceFile[]): Finding[] {
  const paths = files.map(({ path }) => path)
  return paths
    .filter((path) => path.startsWith('test/unit/'))
    .flatMap((path) => {
      const [, room = '', name = ''] = /^test\/unit\/([^/]+)\/(?:.*\/)?([^/]+)\.test\.ts$/.exec(path) ?? []
      const folders = /^(docs|client)$/.test(room) ? [`${room}/`] : [`shared/${room}/`, `services/${room}/`]
      const inRoom = paths.filter((source) => folders.some((folder) => source.startsWith(folder)))
      if (inRoom.some((source) => source.endsWith(`/${name}.${room === 'docs' ? 'md' : 'ts'}`))) return []
      return [{ path, line: 1, remedy: `name it after a file of ${folders.join(' or ')} that it tests` }]
    })
}
