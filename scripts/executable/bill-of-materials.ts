import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'
import sqlite3 from 'sqlite3'
import { shippedPackages } from '../licenses.ts'
import {
  bundledPackages,
  dependenciesOf,
  type LockedPackages,
  lockedPackages,
  packageName,
} from '../needed-packages.ts'

const root = join(import.meta.dirname, '../..')
const { Component } = Models
const library = Enums.ComponentType.Library

/** What the executable was built from; `executable`, `node` and `natsServer` are paths. */
export type Parts = { executable: string; node: string; natsServer: string }

/**
 * What is inside the executable, as a CycloneDX 1.6 document in JSON. The same parts give the same text, so it has no time
 * and no serial number; the hash of the executable identifies the executable.
 */
export async function billOfMaterials(parts: Parts): Promise<string> {
  const bundled = bundledPackages(root)
  const packages = { ...lockedPackages(root), ...bundled }
  const shipped = [...shippedPackages(packages), ...Object.keys(bundled)]
  const components = await componentsOf(parts, packages, shipped)
  const { version } = packages[''] ?? {}
  const listd = new Component(Enums.ComponentType.Application, 'listd', {
    bomRef: `listd@${version}`,
    version: version ?? '',
    purl: `pkg:generic/listd@${version}`,
    licenses: licensed('Apache-2.0'),
    hashes: fileHash(parts.executable),
    dependencies: refsOf(components, [...dependenciesOf(packages, ''), ...Object.keys(bundled), 'nats-server']),
  })
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: listd }),
    components: new Models.ComponentRepository(components.values()),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** The components by their paths in package-lock.json, or by their names. */
type Components = Map<string, Models.Component>

async function componentsOf(parts: Parts, packages: LockedPackages, shipped: readonly string[]): Promise<Components> {
  const components: Components = new Map(shipped.map((path) => [path, npmPackage(path, packages)]))
  components.set('node_modules/node', nodeComponent(parts.node))
  components.set('nats-server', natsComponent(parts.natsServer))
  components.set('sqlite', await sqliteComponent())
  components.set('libsodium', libsodiumComponent())
  for (const [path, component] of components) {
    component.dependencies = refsOf(components, [...dependenciesOf(packages, path), ...(compiledIn[path] ?? [])])
  }
  return components
}

/** The components inside a package's native code. */
const compiledIn: Readonly<Record<string, readonly string[]>> = {
  'node_modules/sqlite3': ['sqlite', 'node_modules/node-addon-api'],
  'node_modules/sodium-native': ['libsodium'],
}

function refsOf(components: Components, keys: readonly string[]): Models.BomRefRepository {
  return new Models.BomRefRepository(keys.flatMap((key) => components.get(key)?.bomRef ?? []))
}

/** The hash is that of the archive in the registry. */
function npmPackage(path: string, packages: LockedPackages): Models.Component {
  const { version = '', license = '', integrity = '' } = packages[path] ?? {}
  const [, group, name = ''] = /^(?:(@[^/]+)\/)?(.+)$/.exec(packageName(path)) ?? []
  const purl = `pkg:npm/${group === undefined ? '' : `${encodeURIComponent(group)}/`}${name}@${version}`
  const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  return new Component(library, name, {
    bomRef: path,
    version,
    purl,
    licenses: licensed(license),
    ...(group !== undefined && { group }),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], sha512]]),
  })
}

/** With the libraries that are part of Node.js. */
function nodeComponent(program: string): Models.Component {
  const { node: version, ...others } = process.versions
  const names = Object.keys(others).filter((name) => !/^(modules|napi)$/.test(name))
  return new Component(Enums.ComponentType.Platform, 'node', {
    bomRef: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    licenses: licensed('MIT'),
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: fileHash(program),
    components: new Models.ComponentRepository(names.map((name) => partOfNode(name, others[name] ?? ''))),
  })
}

function partOfNode(name: string, version: string): Models.Component {
  const cpe = name === 'openssl' ? { cpe: `cpe:2.3:a:openssl:openssl:${version}:*:*:*:*:*:*:*` as const } : {}
  return new Component(library, name, {
    bomRef: `node/${name}`,
    version,
    purl: `pkg:generic/${name}@${version}`,
    ...cpe,
  })
}

function natsComponent(program: string): Models.Component {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
  const version = /\d+\.\d+\.\d+\S*/.exec(said)?.[0] ?? ''
  return new Component(Enums.ComponentType.Application, 'nats-server', {
    bomRef: 'nats-server',
    version,
    purl: `pkg:golang/github.com/nats-io/nats-server/v2@v${version}`,
    licenses: licensed('Apache-2.0'),
    hashes: fileHash(program),
  })
}

async function sqliteComponent(): Promise<Models.Component> {
  const database = new sqlite3.Database(':memory:')
  const row = await promisify<string, { version: string }>(database.get.bind(database))(
    'select sqlite_version() as version',
  )
  await promisify(database.close.bind(database))()
  return new Component(library, 'sqlite', {
    bomRef: 'sqlite',
    version: row.version,
    purl: `pkg:generic/sqlite@${row.version}`,
    licenses: licensed('blessing'),
    cpe: `cpe:2.3:a:sqlite:sqlite:${row.version}:*:*:*:*:*:*:*`,
  })
}

/** The package does not say which libsodium it holds, but libsodium does. */
function libsodiumComponent(): Models.Component {
  const code = readFileSync(join(root, 'node_modules/sodium-native/prebuilds/linux-x64/sodium-native.node'), 'latin1')
  const version = /\0(1\.0\.\d+)\0/.exec(code)?.[1]
  if (version === undefined) throw new Error('sodium-native does not report the version of its libsodium.')
  return new Component(library, 'libsodium', {
    bomRef: 'libsodium',
    version,
    purl: `pkg:generic/libsodium@${version}`,
    licenses: licensed('ISC'),
  })
}

function licensed(license: string): Models.LicenseRepository {
  const isId = SPDX.isSupportedSpdxId(license)
  return new Models.LicenseRepository([isId ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license)])
}

function fileHash(path: string): Models.HashDictionary {
  return new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], hash('sha256', readFileSync(path))]])
}
