import { type Setting, type SettingTree, schema } from './schema.ts'

/** A setting and its key, the dotted path in the schema. */
export type Entry = { key: string; setting: Setting }

/** All settings, in the order of the schema. */
export const entries: readonly Entry[] = flatten(schema, '')

/** The keys of all groups. */
export const groups: readonly string[] = groupNames(schema, '')

/** The setting or group of a name, if there is one. */
export function childOf(tree: SettingTree, name: string): Setting | SettingTree | undefined {
  return Object.hasOwn(tree, name) ? tree[name] : undefined
}

export function isSetting(node: Setting | SettingTree): node is Setting {
  return typeof node.about === 'string'
}

function flatten(tree: SettingTree, prefix: string): Entry[] {
  return Object.entries(tree).flatMap(([name, node]) =>
    isSetting(node) ? [{ key: prefix + name, setting: node }] : flatten(node, `${prefix}${name}.`),
  )
}

function groupNames(tree: SettingTree, prefix: string): string[] {
  return Object.entries(tree).flatMap(([name, node]) =>
    isSetting(node) ? [] : [prefix + name, ...groupNames(node, `${prefix}${name}.`)],
  )
}
