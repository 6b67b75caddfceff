import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  bundledPackages,
  type LockedPackages,
  lockedPackages,
  neededPackages,
  packageName,
  placeOf,
} from './needed-packages.ts'

const root = join(import.meta.dirname, '..')

/** The name of a file with license terms. */
export const licenseFile = /^(licen[cs]e|copying|notice)/i

/** A shipped component, with the texts of its license. */
type Notice = { title: string; texts: readonly string[] }

/**
 * The licenses of everything that is shipped, as one text for people: listd, Node.js, nats-server, the packages, the
 * libraries that are compiled into them, and the packages that are bundled into the dashboard.
 * @param app the folder with the shipped files
 */
export function licensesText(app: string): string {
  const packages = lockedPackages(root)
  const bundled = bundledPackages(root)
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  const notices: Notice[] = [
    { title: `listd ${packages['']?.version}, Apache-2.0`, texts: [own] },
    { title: 'nats-server, Apache-2.0, with other terms for parts of it', texts: [natsNotice] },
    { title: 'libsodium, ISC, compiled into sodium-native', texts: [libsodiumLicense] },
    { title: 'SQLite, compiled into sqlite3', texts: ['SQLite is in the public domain: sqlite.org/copyright.html'] },
    ...shippedPackages(packages).map((path) => packageNotice(app, path, packages)),
    ...Object.keys(bundled).map((path) => packageNotice(app, path, bundled)),
  ]
  return notices
    .map(({ title, texts }) => [rule, title, rule, ...texts.map((text) => text.trim()), ''].join('\n\n'))
    .join('\n')
}

/** The packages whose code is shipped: the needed ones, and the one that is compiled into sqlite3. */
export function shippedPackages(packages: LockedPackages): string[] {
  const compiledIn = placeOf(packages, 'node_modules/sqlite3', 'node-addon-api')
  return [...neededPackages(packages), ...(compiledIn === null ? [] : [compiledIn])].sort()
}

function packageNotice(app: string, path: string, packages: LockedPackages): Notice {
  const { version, license } = packages[path] ?? {}
  const folder = [app, root].map((place) => join(place, path)).find(existsSync) ?? root
  const files = readdirSync(folder).filter((name) => licenseFile.test(name))
  // The license of the npm package `node` covers its installer; this text covers all of Node.js.
  const title = path === 'node_modules/node' ? `Node.js ${version}` : `${packageName(path)} ${version}, ${license}`
  if (path === 'node_modules/node' && files.length === 0) {
    throw new Error(
      'node_modules/node has no LICENSE, which is shipped with Node.js: run "scripts/setup executable" to download it.',
    )
  }
  if (files.length > 0) return { title, texts: files.sort().map((name) => readFileSync(join(folder, name), 'utf8')) }
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { title, texts: [`The package has no license text. Its author: ${author?.name ?? author}`] }
}

const rule = '-'.repeat(80)

const natsNotice = `Copyright 2012-2026 The NATS Authors. Its license has the same text as that of listd above. It is built from Go modules with
licenses of their own, all of them MIT, BSD or Apache-2.0: github.com/nats-io/nats-server lists them in DEPENDENCIES.md.`

const libsodiumLicense = `Copyright (c) 2013-2026 Frank Denis <j at pureftpd dot org>

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`
