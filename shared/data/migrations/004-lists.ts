import type { Knex } from 'knex'
import { caseless } from '#shared/domain/text/caseless.ts'
import type { Queries } from '../database.ts'

/**
 * Pages of items and lists, and the purge of deleted lists. An index of items begins with the two flags that pages filter
 * by, so that each of their combinations is one range in the order of the page; a page merges ranges and never sorts.
 * `item_tags` repeats them for every tag of an item.
 */
export function up(build: Knex): Knex.SchemaBuilder {
  return build.schema
    .alterTable('lists', (t) => {
      // The caseless form of the name; a folded character can become three.
      t.string('name_key', 600).notNullable().defaultTo('')
      // Those of `item_count` that are not activated, which tokens do not see.
      t.bigint('deactivated_count').notNullable().defaultTo(0)
      t.index(['account_id', 'created_at', 'id'])
      t.index(['account_id', 'updated_at', 'id'])
      t.index(['account_id', 'name_key', 'id'])
    })
    .alterTable('items', (t) => {
      t.dropIndex(['list_id', 'created_at', 'id'])
      t.dropIndex(['identity_id', 'list_id', 'created_at', 'id'])
      t.index(['list_id', 'activated', 'readonly', 'created_at', 'id'])
      t.index(['list_id', 'activated', 'readonly', 'updated_at', 'id'])
      t.index(['identity_id', 'list_id', 'activated', 'readonly', 'created_at', 'id'], 'items_owned_index')
    })
    .createTable('item_tags', (t) => {
      t.string('item_id', 36).notNullable()
      t.string('tag', 50).notNullable()
      t.string('list_id', 36).notNullable()
      t.boolean('activated').notNullable()
      t.boolean('readonly').notNullable()
      t.bigint('created_at').notNullable()
      t.primary(['item_id', 'tag'])
      t.index(['list_id', 'tag', 'activated', 'readonly', 'created_at', 'item_id'], 'item_tags_page_index')
    })
    .createTable('list_purges', (t) => {
      t.string('list_id', 36).primary()
      t.bigint('deleted_at').notNullable().index()
    })
    .raw(
      `insert into item_tags (item_id, tag, list_id, activated, readonly, created_at)
         select distinct i.id, j.value, i.list_id, i.activated, i.readonly, i.created_at from items i, json_each(i.tags) j`,
    )
    .raw(
      `update lists set deactivated_count =
         (select count(*) from items i where i.list_id = lists.id and i.activated = 0)`,
    )
}

/** What SQL cannot compute: case folding is done by our own code, alike on every database. */
export async function fill(tx: Queries): Promise<void> {
  const lists = await tx.all<{ id: string; name: string }>('select id, name from lists')
  for (const { id, name } of lists) await tx.run('update lists set name_key = ? where id = ?', [caseless(name), id])
}
