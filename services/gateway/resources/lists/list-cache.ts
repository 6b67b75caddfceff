import { LRUCache } from 'lru-cache'
import type { Database } from '#shared/data/database.ts'
import { findList, findListVersion, readIndexes } from '#shared/data/lists/lists.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { guardPointers } from '#shared/domain/list/index-settings.ts'
import { isPathName, pathNameKey } from '#shared/domain/path-name.ts'
import { searchedDigest } from '#shared/domain/search/searched.ts'
import type { SchemaValidator, Validator } from '../../validation/schema-validator.ts'

/** A list as item requests need it: one version of its settings, with its compiled schema. */
export type ListConfig = {
  readonly list: List
  readonly indexes: readonly ListIndex[]
  /** The activated alias index; null: there is none. */
  readonly aliasIndex: ListIndex | null
  /** The key of its items' stored words; null: no index has `searching`, or older code has changed which indexes have it. */
  readonly termsId: number | null
  /** Pointers whose values tokens do not see. */
  readonly guards: readonly string[]
  /** Validates data by the list's schema; null for a list without one. */
  readonly validator: Validator | null
}

/** The list as rules about its items need it. */
export function ruledList({ list, indexes }: Pick<ListConfig, 'list' | 'indexes'>): RuledList {
  return { id: list.id, indexes }
}

/**
 * Caches the settings of lists. An entry may be stale: a write proves that the version by which it was validated is current, a
 * read gets the current version with its item, and before an error is returned `isCurrent` is checked (see `with-list.ts`).
 */
export type ListCache = {
  /** The list of an account by id or path name, cached or read; null when there is none. */
  get(accountId: string, ref: string): Promise<ListConfig | null>
  /** Whether the database still has this list, in this version, under this name. */
  isCurrent(accountId: string, ref: string, config: ListConfig): Promise<boolean>
  /** Drops the list with this name unless a newer entry has replaced it. */
  drop(accountId: string, ref: string, config: ListConfig): void
}

/** The most cached names, and characters of their lists' schemas: a compiled schema takes about ten times its text. */
const maxNames = 2_000
const maxSchemaCharacters = 4 * 1024 * 1024

export function createListCache(db: Database, schemas: Pick<SchemaValidator, 'validator'>): ListCache {
  const kept = new LRUCache<string, ListConfig>({
    max: maxNames,
    maxSize: maxSchemaCharacters,
    sizeCalculation: ({ list }) => Math.max(1, list.schema?.length ?? 0),
  })
  const loading = new Map<string, Promise<ListConfig | null>>()

  /** Concurrent misses share one read. */
  function load(key: string, accountId: string, ref: string): Promise<ListConfig | null> {
    const inFlight = loading.get(key)
    if (inFlight) return inFlight
    const reading = readConfig({ db, schemas }, accountId, ref)
      .then((config) => {
        if (config) kept.set(key, config)
        return config
      })
      .finally(() => loading.delete(key))
    loading.set(key, reading)
    return reading
  }

  return {
    async get(accountId, ref) {
      if (!isPathName(ref)) return null // not an id either
      const key = cacheKey(accountId, ref)
      // A read in flight may have missed a list that was created before this request; one that starts now does not.
      return kept.get(key) ?? (await loading.get(key)) ?? load(key, accountId, ref)
    },
    async isCurrent(accountId, ref, { list }) {
      const current = await findListVersion(db, accountId, ref)
      return current?.id === list.id && current.configVersion === list.configVersion
    },
    drop(accountId, ref, config) {
      const key = cacheKey(accountId, ref)
      if (kept.peek(key) === config) kept.delete(key)
    },
  }
}

function cacheKey(accountId: string, ref: string): string {
  return `${accountId}/${pathNameKey(ref)}`
}

/** Reads the list before its indexes. Each change of an index changes the list's version, so a mixture of two versions is detected. */
async function readConfig({ db, schemas }: Source, accountId: string, ref: string): Promise<ListConfig | null> {
  const list = await findList(db, accountId, ref)
  return list ? listConfig(list, await readIndexes(db, accountId, list.id), schemas) : null
}

type Source = { db: Database; schemas: Pick<SchemaValidator, 'validator'> }

function listConfig(list: List, indexes: readonly ListIndex[], schemas: Source['schemas']): ListConfig {
  return {
    list,
    indexes,
    aliasIndex: indexes.find(({ alias, activated }) => alias && activated) ?? null,
    termsId: list.termsOf === searchedDigest(indexes) ? list.termsId : null,
    guards: guardPointers(indexes),
    validator: list.schema === null ? null : schemas.validator(list.accountId, list.schema),
  }
}
