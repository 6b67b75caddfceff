import { dirname, relative } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import dashboardPackage from '#services/dashboard/package.json' with { type: 'json' }
import type { Finding, Import, SourceFile } from './source-files.ts'

/** The room of a file: a folder of services or shared, or their top level. */
export function roomOf(path: string): string {
  const [area = '', name = '', ...rest] = path.split('/')
  return (area === 'services' || area === 'shared') && rest.length > 0 ? `${area}/${name}` : area
}

/** Packages that only some rooms may import, and the rooms that may. */
const kept: { what: RegExp; rooms: RegExp; remedy: string }[] = [
  { what: /^(knex|sqlite3|pg|mysql2)(\/|$)/, rooms: /^shared\/data$/, remedy: 'ask the database through shared/data' },
  { what: /^nats$/, rooms: /^shared\/bus$/, remedy: 'talk to NATS through shared/bus' },
  { what: /^@hapi\//, rooms: /^services\/gateway$/, remedy: 'HTTP is served by services/gateway only' },
  {
    what: /^(undici|node:https|node:dns(\/.*)?)$/,
    rooms: /^services\/webhook-dispatcher$/,
    remedy: 'only services/webhook-dispatcher calls other servers',
  },
  { what: /^node:child_process$/, rooms: /^services\/supervisor$/, remedy: 'only the supervisor starts processes' },
  { what: /^commander$/, rooms: /^services\/supervisor$/, remedy: 'the command line is services/supervisor' },
  { what: /^sodium-native$/, rooms: /^shared\/crypto$/, remedy: 'use what shared/crypto exports' },
  { what: /^pino$/, rooms: /^shared\/log$/, remedy: 'use Logger of shared/log/logger.ts' },
  { what: /^joi$/, rooms: /^(services\/gateway|shared\/bus)$/, remedy: 'shapes are checked at the edges only' },
]

/** Packages and parts of Node that only compute. */
const pure = /^(ajv|ajv-formats|idn-hostname|re2js|node:buffer)(\/|$)/

/** The allowed targets of imports in the services, shared and the client. */
export function roomFindings(files: readonly SourceFile[]): Finding[] {
  return [
    ...files
      .filter(({ path }) => /^(services|shared)\//.test(path))
      .flatMap((file) => file.imports.flatMap(validate(file))),
    ...files.filter(({ path }) => path.startsWith('client/src/')).flatMap(clientFindings),
  ]
}

/** The client is a package without dependencies, which runs in browsers too. */
function clientFindings({ path, imports }: SourceFile): Finding[] {
  return imports
    .filter(({ target }) => !target?.startsWith('client/src/'))
    .map(({ specifier, line }) => ({ path, line, remedy: `imports ${specifier}: client/src knows only itself` }))
}

function validate({ path }: SourceFile): (one: Import) => Finding[] {
  const room = roomOf(path)
  return (one) => {
    const remedy =
      doorError(room, path, one) ??
      keptError(room, one) ??
      packageError(room, path, one) ??
      spellingError(room, path, one)
    return remedy ? [{ path, line: one.line, remedy: `imports ${one.specifier}: ${remedy}` }] : []
  }
}

/** Rooms that only compute, and the others that each of them may import. */
const pureRooms: Readonly<Record<string, readonly string[]>> = {
  'shared/domain': ['shared/json', 'shared/json-path', 'shared/json-schema', 'shared/net'],
  'shared/json-path': ['shared/json', 'shared/json-schema'],
  'shared/json-schema': ['shared/json'],
  'shared/json': [],
  'shared/net': [],
}

function doorError(room: string, path: string, { specifier, target }: Import): string | null {
  const known = pureRooms[room]
  if (target === null) return known && !pure.test(specifier) ? `${room} is pure` : null
  if (target === 'package.json') return null
  const other = roomOf(target)
  if (known && ![room, ...known].includes(other) && target !== 'shared/errors.ts') {
    return `${room} knows only ${['itself', ...known, 'shared/errors.ts'].join(', ')}; pass the value in`
  }
  if (room === dashboard && other !== room) return dashboardError(path, target)
  if (other === 'client' || remoteRoom.test(path)) return remoteError(room, path, target)
  if (room.startsWith('shared') && other.startsWith('services'))
    return 'shared never knows a service; move it to shared'
  if (!other.startsWith('shared') && !other.startsWith('services'))
    return 'tests and benches are no part of the product'
  if (other.startsWith('services') && other !== room && !startsServices(path, target)) {
    return 'services never import each other; move it to shared, or ask over the bus'
  }
  return layerError(room, path, target)
}

/** The page: its own package, for browsers. */
const dashboard = 'services/dashboard'

/** The page runs the rules that only compute, reads the answers of the API as the client declares them, and shows pages of the documentation. */
function dashboardError(path: string, target: string): string | null {
  if (roomOf(target) in pureRooms || target === 'shared/errors.ts' || /^(client\/src\/|docs\/.*\.md$)/.test(target))
    return null
  return `${path.endsWith('build.ts') ? 'the build' : 'the page'} knows only itself, the pure rooms and client/src`
}

/** The commands that call a listd over HTTP. */
const remoteRoom = /^services\/supervisor\/remote\//

/** They use listd only with the client, as on a machine without its database; and nothing else uses the client. */
function remoteError(room: string, path: string, target: string): string | null {
  const other = roomOf(target)
  if (other === 'client') {
    return remoteRoom.test(path) ? null : 'services use no client; only services/supervisor/remote calls a listd'
  }
  const known =
    [room, 'shared/config', 'shared/files'].includes(other) || target === 'shared/errors.ts' || other in pureRooms
  if (known && !target.startsWith('services/supervisor/commands/')) return null
  return 'services/supervisor/remote asks the server through the client'
}

/** The only connection between services: the process that becomes one of them. */
function startsServices(path: string, target: string): boolean {
  return path === 'services/supervisor/commands/service.ts' && /^services\/[^/]+\/main\.ts$/.test(target)
}

/** Within a service: upper layers import lower ones. */
const layers = [
  /^main\.tsx?$/,
  /^((server|dispatcher)\.ts$|app\/)/,
  /^(resources\/index\.ts$|(handlers|commands|jobs)\/)/,
  /^(resources|pages)\//,
  /^forms\//,
  /^(http|parts)\//,
  /^(auth|api)\//,
  /^(validation|schemas|admission)\//,
  /^request\//,
]

/** Which resources of the gateway import which others. */
const resourceEdges: Readonly<Record<string, readonly string[]>> = {
  events: ['items', 'lists', 'identities'],
  indexes: ['lists'],
  items: ['lists'],
  users: ['tokens'],
  deliveries: ['webhooks'],
  stats: ['deliveries', 'events', 'identities', 'items'],
  flows: ['items', 'lists'],
  realtime: ['items', 'lists'],
}

function layerError(room: string, path: string, target: string): string | null {
  if (!target.startsWith(`${room}/`)) return null
  const [from, to] = [path, target].map((file) => file.slice(room.length + 1)) as [string, string]
  const layerOf = (file: string) => layers.findIndex((layer) => layer.test(file))
  if (layerOf(to) >= 0 && layerOf(from) > layerOf(to)) {
    return 'the order is main, server, routes, resources, http, auth, schemas, request (or main, app, pages, forms, parts, api); pass it in from above'
  }
  const [resource, other] = [from, to].map((file) => /^resources\/([^/]+)\//.exec(file)?.[1])
  if (!resource || !other || resource === other || resourceEdges[resource]?.includes(other)) return null
  return `resources/${resource} knows ${resourceEdges[resource]?.join(' and ') ?? 'no other resource'}; move it below both`
}

function keptError(room: string, { specifier }: Import): string | null {
  return kept.find(({ what, rooms }) => what.test(specifier) && !rooms.test(room))?.remedy ?? null
}

function packageError(room: string, path: string, { specifier, target }: Import): string | null {
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  if (room === dashboard && target === null) {
    if (specifier.startsWith('node:')) return path.endsWith('build.ts') ? null : 'a browser has no Node.js'
    return Object.hasOwn(dashboardPackage.devDependencies, name) ? null : 'add it to the package.json of the dashboard'
  }
  if (target !== null || name.startsWith('node:') || Object.hasOwn(packageFile.dependencies, name)) return null
  return 'not every machine that runs listd has it; add it to the dependencies of package.json'
}

function spellingError(room: string, path: string, { specifier, target }: Import): string | null {
  if (target === null || target === 'package.json') return null
  if (!/\.(tsx?|json|css|md)$/.test(specifier)) return 'name the file with its ending'
  const inside = roomOf(target) === room && room.includes('/')
  if (specifier.startsWith('#')) return inside && !isFar(path, target) ? 'write it relative: it is near' : null
  const topOfShared = target === 'shared/errors.ts' && room.startsWith('shared/')
  return inside || topOfShared ? null : `write #${target}: it is in another room`
}

/** The most folders that a relative import may lead up: beyond that its target is unclear. */
const maxClimb = 2

const isFar = (path: string, target: string) => climbOf(relative(dirname(path), target)) > maxClimb
const climbOf = (specifier: string) => specifier.split('/').filter((part) => part === '..').length

/** Targets with a name in package.json (its `imports`), which works from anywhere. */
const named = /^(services\/|shared\/|client\/|docs\/|package\.json$)/

/**
 * Imports that climb. Tests are as deep as what they test: so imports of tests and benches may lead farther, to what helps tests and
 * to scripts, which have no name.
 */
export function climbFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(services|shared|client|test|bench|scripts|deploy)\//.test(path) && !ownPackage.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => climbOf(specifier) > maxClimb && target !== null && named.test(target))
        .map(({ specifier, target, line }) => ({ path, line, remedy: `imports ${specifier}: write #${target}` })),
    )
}

/** Packages that are installed separately from listd's, where its names do not work. */
const ownPackage = /^(test\/openapi-client|bench\/graphile-worker)\//
