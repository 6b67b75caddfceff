import { stepsOfMembers } from '../steps.ts'
import { copyOf, isList, isValueObject, objectOf, type Value } from '../value.ts'
import { type Call, type ExpressionFunction, isGiven, listAt, objectAt, valueAt, wrongKind } from './function.ts'

/** Functions of objects. They do not change their arguments. */
export const objectFunctions: Readonly<Record<string, ExpressionFunction>> = {
  keys: { least: 1, most: 1, call: keys },
  values: { least: 1, most: 1, call: (call) => members(call).map(([, value]) => value) },
  /** The members as lists of key and value. */
  entries: { least: 1, most: 1, call: members },
  fromEntries: { least: 1, most: 1, call: fromEntries },
  pick: { least: 2, most: 100, call: (call) => chosen(call, true) },
  omit: { least: 2, most: 100, call: (call) => chosen(call, false) },
  merge: { least: 2, most: 100, call: merged },
  get: { least: 2, most: 3, call: got },
}

function members(call: Call): [string, Value][] {
  const found = Object.entries(objectAt(call, 0))
  call.burn(stepsOfMembers(found.length))
  return found
}

function keys(call: Call): string[] {
  const found = Object.keys(objectAt(call, 0))
  call.burn(stepsOfMembers(found.length))
  return found
}

/** An object from lists of key and value, as `entries` returns them. */
function fromEntries(call: Call): Value {
  const entries = listAt(call, 0).map((entry): [string, Value] => {
    const [key, value = null] = isList(entry) ? entry : []
    if (typeof key === 'string') return [key, value]
    throw call.error('takes a list of lists of a key and a value')
  })
  call.burn(stepsOfMembers(entries.length))
  return objectOf(entries)
}

/** The object with only the named members, or without them. The keys are one list, or separate arguments. */
function chosen(call: Call, isKept: boolean): Value {
  const chosen = new Set(keysOf(call))
  const kept = keys(call).filter((key) => chosen.has(key) === isKept)
  return copyOf(objectAt(call, 0), kept)
}

function keysOf(call: Call): string[] {
  const given = valueAt(call, 1)
  const keys = isList(given) ? given : call.args.slice(1).map((_, n) => valueAt(call, n + 1))
  call.burn(keys.length)
  return keys.map((key) => {
    if (typeof key === 'string') return key
    throw call.error('takes keys that are texts')
  })
}

/** Merges the objects by RFC 7396: nested objects are merged, lists are replaced, and null removes a member. */
function merged(call: Call): Value {
  const [first, ...patches] = call.args.map((_, n) => objectAt(call, n))
  return patches.reduce((whole: Value, patch) => patched(call, whole, patch), first ?? null)
}

function patched(call: Call, target: Value, patch: Value, depth = 0): Value {
  if (!isValueObject(patch)) return patch
  call.nested(depth)
  const base = isValueObject(target) ? target : {}
  const kept = Object.keys(base)
  const members = Object.entries(patch)
  call.burn(stepsOfMembers(kept.length) + stepsOfMembers(members.length))
  const whole = copyOf(base, kept)
  for (const [key, value] of members) {
    if (value === null) delete whole[key]
    else whole[key] = patched(call, whole[key] ?? null, value, depth + 1)
  }
  return whole
}

/** The value at a key, or at a path of keys and positions. If there is none: the third argument, or null. */
function got(call: Call): Value {
  const path = valueAt(call, 1)
  let at: Value | undefined = valueAt(call, 0)
  for (const key of isList(path) ? path : [path]) {
    if (typeof key !== 'string' && !Number.isInteger(key)) throw wrongKind(call, 'a key or a list of keys', 1)
    call.burn(1)
    at = childAt(at, key as string | number)
  }
  return at ?? (isGiven(call, 2) ? valueAt(call, 2) : null)
}

function childAt(value: Value | undefined, key: string | number): Value | undefined {
  if (value === undefined || value === null) return undefined
  if (isList(value)) return typeof key === 'number' ? value.at(key) : undefined
  return isValueObject(value) && typeof key === 'string' && Object.hasOwn(value, key) ? value[key] : undefined
}
