type Place = { what: RegExp; count: number }

const packages = /("name": "listd(?:-client|-dashboard)?",\n\s*"version": ")[^"]+/g

/** Every file that contains the version of listd, in which form, and how often. The others follow package.json. */
export const versionPlaces: Readonly<Record<string, Place>> = {
  'package.json': { what: packages, count: 1 },
  'package-lock.json': { what: packages, count: 3 },
  'client/package.json': { what: packages, count: 1 },
  'services/dashboard/package.json': { what: packages, count: 1 },
  'services/dashboard/package-lock.json': { what: packages, count: 2 },
  'deploy/helm/listd/Chart.yaml': { what: /^((?:v|appV)ersion: )\S+/gm, count: 2 },
  'deploy/helm/listd-with-nats/Chart.yaml': { what: /^((?:v|appV|.*name: listd\n +v)ersion: )\S+/gm, count: 3 },
  'test/fixtures/openapi.json': { what: /^( {4}"version": ")[^"]+/gm, count: 1 },
}

/**
 * Returns the text of one of these files with another version.
 * @throws Error when the file does not contain the version the expected number of times
 */
export function stampVersion(file: string, { text, version }: { text: string; version: string }): string {
  const { what, count } = versionPlaces[file] ?? { what: /$^/g, count: 1 }
  const found = text.match(what)?.length ?? 0
  if (found !== count) throw new Error(`${file} contains the version ${found} times; expected ${count}.`)
  return text.replace(what, (_, before: string) => before + version)
}
