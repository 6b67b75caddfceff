import { type Setting, type SettingTree, schema } from './schema.ts'

/** One setting with the dotted path that names it. */
export type Entry = { key: string; setting: Setting }

/** Every setting of the schema, in its order. */
export const entries: readonly Entry[] = flatten(schema, '')

/** The names of all groups, dotted. */
export const groups: readonly string[] = groupNames(schema, '')

/** What the schema has under a name: a setting, a group, or nothing. */
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
