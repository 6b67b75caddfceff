import type { Database } from '#shared/data/database.ts'

/** The schema of a database as text, which is the same however the schema was created. */
export async function dumpSchema(db: Database): Promise<string> {
  const lines = await db.all<Line>(queries[db.dialect.name])
  return lines
    .toSorted((a, b) => compare(a.parent, b.parent) || Number(a.part) - Number(b.part) || compare(a.within, b.within))
    .map(({ line }) => `${line}\n`)
    .join('')
}

/** Lines are ordered by their table `parent`, then by kind, which is `part`, then by `within`. */
type Line = { line: string; parent: string; part: number; within: string }

/** By code points: the servers' catalogs have other collations. */
const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

const queries = {
  sqlite: `select sql as line, tbl_name as parent, case type when 'table' then 1 else 2 end as part, name as within
    from sqlite_schema where sql is not null`,
  postgres: `
    select * from (
      select table_name as parent, 1 as part, lpad(ordinal_position::text, 3, '0') as within,
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
    ) as listing`,
  // MySQL and MariaDB differ in the names of collations and in how they quote defaults.
  mysql: `
    select * from (
      select table_name as parent, 1 as part, lpad(ordinal_position, 3, '0') as within,
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
    ) as listing`,
} as const
