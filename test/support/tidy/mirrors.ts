import type { Finding, SourceFile } from './source-files.ts'

/** A test is at the place of its source. */
export function mirrorFindings(files: readonly SourceFile[]): Finding[] {
  const paths = files.map(({ path }) => path)
  return [...unitFindings(paths), ...integrationFindings(paths)]
}

/**
 * A unit test is at the place of its source: `test/unit/<room>/<name>.test.ts` tests a file `<name>.ts` of that room of shared or
 * services, or of client or scripts; `test/unit/docs/<name>.test.ts` tests a page of docs.
 */
function unitFindings(paths: readonly string[]): Finding[] {
  return paths
    .filter((path) => path.startsWith('test/unit/'))
    .flatMap((path) => {
      const [, room = '', name = ''] = /^test\/unit\/([^/]+)\/(?:.*\/)?([^/]+)\.test\.ts$/.exec(path) ?? []
      const folders = /^(docs|client|scripts)$/.test(room) ? [`${room}/`] : [`shared/${room}/`, `services/${room}/`]
      const inRoom = paths.filter((source) => folders.some((folder) => source.startsWith(folder)))
      if (inRoom.some((source) => source.endsWith(`/${name}.${room === 'docs' ? 'md' : 'ts'}`))) return []
      return [{ path, line: 1, remedy: `name it after a file of ${folders.join(' or ')} that it tests` }]
    })
}

/** The integration tests of gateway and data have the folders of their sources; those outside the folders test the whole. */
function integrationFindings(paths: readonly string[]): Finding[] {
  return paths.flatMap((path) => {
    const [, room = '', folder = ''] = /^test\/integration\/(gateway|data)\/([^/]+)\//.exec(path) ?? []
    const sources = [
      `services/${room}/${folder}/`,
      `services/${room}/resources/${folder}/`,
      `shared/${room}/${folder}/`,
    ]
    if (!folder || paths.some((source) => sources.some((start) => source.startsWith(start)))) return []
    return [{ path, line: 1, remedy: `no source has the folder ${folder}; put it where what it tests stands` }]
  })
}
