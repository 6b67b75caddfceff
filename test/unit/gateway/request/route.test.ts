import test from 'ava'
import Joi from 'joi'
import type { TokenPrincipal, UserPrincipal } from '#services/gateway/request/principal.ts'
import { json, none, ok, stream } from '#services/gateway/request/response.ts'
import { route } from '#services/gateway/request/route.ts'
import { joi } from '#services/gateway/schemas/joi.ts'

// The compiler checks these claims: `make types` fails if a line compiles that must not.

const described = { operationId: 'test', about: 'A route of a test.', response: {} }

test('a handler gets the principal, the parameters, the query and the body that its route declares', (t) => {
  const declared = route({
    ...described,
    method: 'PUT',
    path: '/lists/{list}/data/{pointer*}',
    permission: 'user',
    query: joi.object<{ dryRun: boolean }>({ dryRun: Joi.boolean() }),
    body: { maxBytes: 1, schema: joi.object<{ name: string }>({ name: Joi.string() }), optional: true },
    async handle({ principal, params, query, body }, deps: { db: string }) {
      const user: UserPrincipal = principal
      const texts: [string, string | undefined, boolean, string] = [params.list, params.pointer, query.dryRun, deps.db]
      // @ts-expect-error the path has no such parameter
      const item = params.item
      // @ts-expect-error the body may be absent
      const name = body.name
      return ok([user, texts, item, name])
    },
  })
  t.is(declared.path, '/lists/{list}/data/{pointer*}')
})

test('unverified identity headers exist only with an API token', (t) => {
  const declared = route({
    ...described,
    method: 'POST',
    path: '/logout',
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'unverified',
    async handle({ principal, body }) {
      const token: TokenPrincipal = principal
      const nothing: undefined = body
      return ok([token, nothing])
    },
  })
  t.is(declared.identity, 'unverified')
})

test('the input of a schema is unknown unless it has a type, and its names are those of the type', (t) => {
  // @ts-expect-error `title` is not validated
  joi.object<{ name: string; title: string }>({ name: Joi.string() })
  // @ts-expect-error the type has no `title`
  joi.object<{ name: string }>({ name: Joi.string(), title: Joi.string() })
  const declared = route({
    ...described,
    method: 'POST',
    path: '/things',
    permission: 'authenticated',
    body: { maxBytes: 1, schema: Joi.object({ name: Joi.string() }) },
    async handle({ body }) {
      // @ts-expect-error the schema has no type
      const name = body.name
      return json(name)
    },
  })
  t.is(declared.method, 'POST')
})

test('only a route that declares it responds with a stream', (t) => {
  const pieces = () => stream(async function* () {}, { type: 'text/plain' })
  const common = { ...described, method: 'GET', path: '/stream', permission: 'public' } as const
  const declared = route({ ...common, streams: true, handle: async () => pieces() })
  // @ts-expect-error it does not declare `streams`
  route({ ...common, handle: async () => pieces() })
  // @ts-expect-error it declares `streams`
  route({ ...common, streams: true, handle: async () => none() })
  t.true(declared.streams)
})
