import { type TestBackend, testBackend } from './database.ts'

/** A statement as the driver received it, and whether the previous ones were still unanswered. */
type Sent = { text: string; together: boolean }

type Method = (this: unknown, ...args: unknown[]) => unknown
type Methods = Record<string, Method>

/**
 * The statements that the database receives during the work, in order: with the beginnings and ends of transactions, without values.
 * No other work may run in the process at the same time. A blank line marks where the work waits for answers.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string> {
  const sent: Sent[] = []
  const restore = await watch[testBackend](sent)
  try {
    await work()
  } finally {
    restore()
  }
  // SQLite's checkpoints depend on the time, and do not belong to any work.
  const statements = sent.filter(({ text }) => !text.startsWith('PRAGMA wal_checkpoint'))
  return statements.map(({ text, together }, n) => `${n === 0 || together ? '' : '\n'}${commonText(text)};\n`).join('')
}

/** A statement without the words in which MariaDB and MySQL differ. */
function commonText(text: string): string {
  return text
    .replace(/;$/, '')
    .replaceAll(/utf8mb4_(nopad|0900)_bin/g, 'utf8mb4_by_bytes')
    .replace(/max_statement_time = \S+|max_execution_time = \S+/, 'time_of_a_statement = …')
}

/** Replaces the methods of the drivers that send statements. */
const watch: Record<TestBackend, (sent: Sent[]) => Promise<() => void>> = {
  async sqlite(sent) {
    const { default: sqlite3 } = await import('sqlite3')
    const undo = new DisposableStack()
    for (const method of ['all', 'run']) {
      undo.defer(
        replace(sqlite3.Statement.prototype, method, (send, statement, args) => {
          sent.push({ text: (statement as { sql: string }).sql, together: false })
          return send.apply(statement, args)
        }),
      )
    }
    undo.defer(
      replace(sqlite3.Database.prototype, 'exec', (send, handle, args) => {
        sent.push({ text: String(args[0]), together: false })
        return send.apply(handle, args)
      }),
    )
    return () => undo.dispose()
  },
  async postgres(sent) {
    const { default: pg } = await import('pg')
    let unanswered = 0
    return replace(pg.Client.prototype, 'query', (send, client, args) => {
      sent.push({ text: textOf(args[0]), together: unanswered > 0 })
      unanswered++
      const answered = send.apply(client, args)
      const count = () => void unanswered--
      if (answered instanceof Promise) answered.then(count, count)
      else count() // called back, as Knex does before it passes a connection on
      return answered
    })
  },
  async mysql(sent) {
    const { default: mysql } = await import('mysql2')
    const { prototype } = Object(mysql).Connection
    const undo = new DisposableStack()
    for (const method of ['execute', 'query']) {
      undo.defer(
        replace(prototype, method, (send, connection, args) => {
          sent.push({ text: textOf(args[0]), together: false })
          return send.apply(connection, args)
        }),
      )
    }
    return () => undo.dispose()
  },
}

function replace(
  prototype: object,
  name: string,
  instead: (send: Method, receiver: unknown, args: unknown[]) => unknown,
): () => void {
  const methods = prototype as Methods
  const send = methods[name]
  if (!send) throw new Error(`the driver has no ${name}`)
  methods[name] = function (...args) {
    return instead(send, this, args)
  }
  return () => {
    methods[name] = send
  }
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : Object(query).text
}
