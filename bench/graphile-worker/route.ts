import { server as createServer } from '@hapi/hapi'
import { Pool } from 'pg'
import type { BareRelay } from '../support/programs/bare-relay.ts'
import { runProgram } from '../support/programs/run-program.ts'

export type RouteOptions = { connectionString: string; connections: number }

/**
 * The part of an application with this queue that replaces listd's gateway: a hapi route that stores the body of a POST and
 * adds its job in one statement. The path has the webhook, with `named` before it if the webhook has its own queue.
 */
runProgram<RouteOptions, BareRelay>(async ({ connectionString, connections }) => {
  const pool = new Pool({ connectionString, max: connections })
  await pool.query('create table if not exists items (id bigint generated always as identity primary key, data jsonb)')
  const server = createServer({ host: '127.0.0.1', port: 0 })
  server.route({
    method: 'POST',
    path: '/{queues}/{webhook}',
    async handler({ params, payload }) {
      const body = JSON.stringify(payload)
      const queue = params.queues === 'named' ? `webhook-${params.webhook}` : null
      const { rows } = await pool.query({ name: 'create', text: create, values: [body, Number(params.webhook), queue] })
      return { id: rows[0].id }
    },
  })
  await server.start()
  return { ready: { origin: server.info.uri }, answer: () => null }
})

const create = `
  with item as (insert into items (data) values ($1::text::jsonb) returning id)
  select item.id, job.id as job from item, graphile_worker.add_job(
    'deliver',
    json_build_object('webhook', $2::int, 'event', json_build_object('id', 'item-' || item.id, 'body', $1::text)),
    $3::text
  ) as job`
