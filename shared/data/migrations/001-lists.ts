import type { Tables } from './tables.ts'

/**
 * Lists, items and the event log. In the indexes of items, the two flags that pages filter by come before the page's order, so
 * that each combination of flags is one range in that order; a page merges ranges and never sorts. `item_tags` repeats the
 * flags and the time for every tag of an item. A page of an account's events merges one range per type.
 */
export const listsTables: Tables = {
  lists(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 200).notNullable()
    // The case-folded name; folding can turn one character into three.
    t.text('name_key', 600).notNullable()
    t.longText('description').notNullable()
    t.longText('tags').notNullable()
    t.text('path_name', 200).notNullable()
    t.text('path_key', 200).notNullable()
    t.longText('schema')
    t.text('scope', 50)
    t.flag('pinned').notNullable()
    t.flag('readonly').notNullable()
    t.flag('realtime').notNullable()
    t.flag('protected').notNullable()
    t.flag('indexable').notNullable()
    t.flag('generative').notNullable()
    t.longText('generative_prompt')
    t.flag('activated').notNullable()
    t.int('item_count').notNullable().defaultTo(0)
    // How many of `item_count` are not activated and so hidden from tokens.
    t.int('deactivated_count').notNullable().defaultTo(0)
    t.int('config_version').notNullable().defaultTo(1)
    t.unique(['account_id', 'path_key'])
    t.index(['account_id', 'created_at', 'id'])
    t.index(['account_id', 'updated_at', 'id'])
    t.index(['account_id', 'name_key', 'id'])
  },
  indexes(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('list_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.text('name', 200).notNullable()
    t.longText('description').notNullable()
    t.longText('tags').notNullable()
    t.text('path_name', 200).notNullable()
    t.text('scope', 50)
    t.longText('pointer').notNullable()
    t.text('value_type', 10).notNullable()
    t.flag('alias').notNullable()
    t.flag('sorting').notNullable()
    t.flag('filtering').notNullable()
    t.flag('searching').notNullable()
    t.flag('guard').notNullable()
    t.text('default_order_direction', 4).notNullable()
    t.flag('activated').notNullable()
    t.text('build_status', 10).notNullable()
    t.unique(['list_id', 'path_name'])
  },
  items(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.text('list_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.int('updated_at').notNullable()
    t.longText('data').notNullable()
    t.longText('description').notNullable()
    t.longText('tags').notNullable()
    t.text('version', 50).notNullable()
    t.int('revision').notNullable()
    t.flag('readonly').notNullable()
    t.flag('activated').notNullable()
    t.flag('locked').notNullable()
    t.int('size').notNullable()
    // The owner; null: none.
    t.text('identity_id', 36)
    t.index(['list_id', 'activated', 'readonly', 'created_at', 'id'])
    t.index(['list_id', 'activated', 'readonly', 'updated_at', 'id'])
    t.index(['identity_id', 'list_id', 'activated', 'readonly', 'created_at', 'id'], {
      name: 'items_owned_index',
      without: 'identity_id',
    })
  },
  item_tags(t) {
    t.text('item_id', 36).notNullable()
    t.text('tag', 50).notNullable()
    t.text('list_id', 36).notNullable()
    t.flag('activated').notNullable()
    t.flag('readonly').notNullable()
    t.int('created_at').notNullable()
    t.primary(['item_id', 'tag'])
    t.byPrimaryKey()
    t.index(['list_id', 'tag', 'activated', 'readonly', 'created_at', 'item_id'], { name: 'item_tags_page_index' })
  },
  index_values(t) {
    t.text('index_id', 36).notNullable()
    t.text('item_id', 36).notNullable()
    t.double('number_value')
    t.text('order_key', 256)
    t.longText('filter_key')
    t.text('alias_hash', 64)
    t.primary(['item_id', 'index_id'])
    t.byPrimaryKey()
    t.unique(['index_id', 'alias_hash'], { without: 'alias_hash' })
    t.index(['index_id', 'number_value', 'order_key', 'item_id'])
  },
  // Deleted lists whose items are still to be deleted.
  list_purges(t) {
    t.text('list_id', 36).primary()
    t.int('deleted_at').notNullable().index()
  },
  events(t) {
    t.text('id', 36).primary()
    t.text('account_id', 36).notNullable()
    t.int('created_at').notNullable()
    t.text('stream', 10).notNullable()
    t.text('type', 40).notNullable()
    t.text('model_id', 36).notNullable()
    t.text('list_id', 36)
    t.text('version', 50)
    // For items: 1 for the first event, one more for each later one, even after retention has deleted some.
    t.int('revision')
    t.longText('actor').notNullable()
    t.longText('snapshot')
    t.longText('attachments')
    t.index(['account_id', 'type', 'created_at', 'id'])
    t.index(['model_id', 'created_at', 'id', 'type'])
  },
  // Per account and type: the number of entries, and the position up to which retention has examined them.
  event_counts(t) {
    t.text('account_id', 36).notNullable()
    t.text('type', 40).notNullable()
    t.int('entries').notNullable()
    t.int('examined_at').notNullable().defaultTo(0)
    t.text('examined_id', 36).notNullable().defaultTo('')
    t.primary(['account_id', 'type'])
    t.byPrimaryKey()
  },
}
