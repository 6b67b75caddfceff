import type { Database } from '#shared/data/database.ts'

/** What the database says its schema is: the same text wherever and however it was made. */
export async function dumpSchema(db: Database): Promise<string> {
  const lines = await db.all<{ line: string }>(queries[db.dialect.name])
  return `${lines.map(({ line }) => line).join('\n')}\n`
}

const queries = {
  sqlite: 'select sql as line from sqlite_schema where sql is not null order by tbl_name, type desc, name',
  postgres: `
    select line from (
      select table_name as place, 1 as part, lpad(ordinal_position::text, 3, '0') as place_within,
        table_name || '.' || column_name || ' ' || data_type || coalesce('(' || character_maximum_length || ')', '')
          || coalesce(' collate ' || collation_name, '') || case is_nullable when 'NO' then ' not null' else '' end
          || coalesce(' default ' || column_default, '') as line
      from information_schema.columns where table_schema = current_schema()
      union all
      select tablename, 2, indexname, replace(indexdef, schemaname || '.', '')
      from pg_indexes where schemaname = current_schema()
      union all
      select conrelid::regclass::text, 3, conname, conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    ) as listing order by place collate "C", part, place_within collate "C"`,
  // MySQL and MariaDB differ in the names of collations and in how they quote defaults.
  mysql: `
    select line from (
      select table_name as place, 1 as part, lpad(ordinal_position, 3, '0') as place_within,
        concat(table_name, '.', column_name, ' ', data_type,
          case data_type when 'varchar' then concat('(', character_maximum_length, ')') else '' end,
          case when collation_name is null then ''
            when collation_name in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin') then ' by bytes, not padded'
            else concat(' collate ', collation_name) end,
          case is_nullable when 'NO' then ' not null' else '' end,
          case when column_default is null or column_default = 'NULL' then ''
            else concat(' default "', trim(both '''' from column_default), '"') end) as line
      from information_schema.columns where table_schema = database()
      union all
      select table_name, 2, index_name, concat(case max(non_unique) when 0 then 'unique ' else '' end, 'index ',
        index_name, ' on ', table_name, ' (', group_concat(column_name order by seq_in_index separator ', '), ')')
      from information_schema.statistics where table_schema = database() group by table_name, index_name
      union all
      select table_name, 3, constraint_name,
        concat(table_name, '.', column_name, ' references ', referenced_table_name, '.', referenced_column_name)
      from information_schema.key_column_usage
      where table_schema = database() and referenced_table_name is not null
    ) as listing order by place, part, place_within`,
} as const
