import test from 'ava'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { post, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import { startFullBacklog } from '../../../support/webhooks/full-backlog.ts'

const name = 'hooks.example.test'
const authority = makeAuthority()
const trusted = { ca: authority.cert }
const certificate = authority.issue({ names: [name, '127.0.0.1'] })

/** A resolver that returns one list after the other, and then always the last one. */
function answering(...answers: string[][]): () => Promise<string[]> {
  return async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? []
}

test('a name that resolves to allowed addresses is connected to under its own name', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate })
  const client = await testHttpClient(t, receiver, { resolve: answering(['127.0.0.1']) })
  t.like(await post(client, `https://${name}:${receiver.port}/a?b=c`), { status: 200, error: null })
  t.is(receiver.requests[0]?.path, '/a?b=c')
  t.is(receiver.requests[0]?.headers.host, `${name}:${receiver.port}`)
})

for (const address of [
  '10.0.0.1',
  '169.254.169.254',
  '::1',
  '::ffff:127.0.0.1',
  '0.0.0.0',
  'fe80::1%lo',
  'nonsense',
  '',
]) {
  test(`one address that is not allowed (${address}) among several rejects the attempt`, async (t) => {
    const receiver = await testReceiver(t, { authority, certificate })
    for (const answer of [[address], ['127.0.0.1', address], [address, '127.0.0.1']]) {
      const client = await testHttpClient(t, receiver, { resolve: answering(answer) })
      t.like(await post(client, `https://${name}:${receiver.port}/`), { status: null, error: 'blocked-address' })
    }
    t.is(receiver.connections, 0)
  })
}

test('a name that resolves to another network at the next connection is rejected then', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate, reply: { headers: { connection: 'close' } } })
  const client = await testHttpClient(t, receiver, { resolve: answering(['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']) })
  const url = `https://${name}:${receiver.port}/`
  t.like(await post(client, url), { status: 200, error: null })
  t.like(await post(client, url), { status: null, error: 'blocked-address' })
  t.like(await post(client, url), { status: 200, error: null })
})

for (const host of ['10.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x0a000001', '169.254.169.254']) {
  test(`the literal ${host} is rejected without a query to a resolver`, async (t) => {
    const client = await testHttpClient(t, trusted, { resolve: () => t.fail() as never })
    t.like(await post(client, `https://${host}:8443/`), { status: null, error: 'blocked-address' })
  })
}

test('an allowed literal is reached in any spelling without querying a resolver', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate })
  const client = await testHttpClient(t, receiver, { resolve: () => t.fail() as never })
  for (const host of ['127.0.0.1', '127.1', '0x7f.1', '2130706433']) {
    t.like(await post(client, `https://${host}:${receiver.port}/`), { status: 200, error: null }, host)
  }
})

test('an allowed IPv6 literal is reached', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate: authority.issue(), host: '::1' })
  const client = await testHttpClient(t, receiver, { allowCidrs: ['::1/128'] })
  t.like(await post(client, `https://[::1]:${receiver.port}/`), { status: 200, error: null })
})

test('without allowed networks loopback is rejected, as name and as literal', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, { allowCidrs: [] })
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    t.like(await post(client, `https://${host}:${receiver.port}/`), { error: 'blocked-address' }, host)
  }
  t.is(receiver.connections, 0)
})

test('localhost is the allowed loopback address, without DNS', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, { resolve: () => t.fail() as never })
  t.like(await post(client, `https://localhost:${receiver.port}/`), { status: 200, error: null })
  const client6 = await testHttpClient(t, receiver, { allowCidrs: ['10.0.0.0/8'] })
  t.like(await post(client6, `https://localhost:${receiver.port}/`), { error: 'blocked-address' })
})

test('a name without an address is a dns error', async (t) => {
  const client = await testHttpClient(t, trusted, { resolve: answering([]) })
  t.like(await post(client, `https://${name}/`), { status: null, error: 'dns' })
})

test('a port without a listener is a connection error', async (t) => {
  const receiver = await testReceiver(t)
  await receiver.close()
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: null, error: 'connection' })
})

test('when one address refuses the connection, the next one is tried', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate })
  const client = await testHttpClient(t, receiver, { resolve: answering(['127.0.0.2', '127.0.0.3', '127.0.0.1']) })
  t.like(await post(client, `https://${name}:${receiver.port}/`), { status: 200, error: null })
})

test('an address that does not answer gives way to the next one', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate })
  const hole = await startFullBacklog({ host: '127.0.0.2', port: receiver.port })
  t.teardown(() => hole.close())
  const client = await testHttpClient(t, receiver, { resolve: answering(['127.0.0.2', '127.0.0.1']) })
  t.like(await post(client, `https://${name}:${receiver.port}/`), { status: 200, error: null })
})

test('http is used where it is allowed, without TLS', async (t) => {
  const receiver = await testReceiver(t, { scheme: 'http', reply: { status: 201, body: 'accepted' } })
  const client = await testHttpClient(t, trusted, { allowHttp: true, resolve: answering(['127.0.0.1']) })
  for (const host of ['127.0.0.1', 'localhost', name]) {
    const url = `http://${host}:${receiver.port}/a?b=c`
    t.like(await post(client, url), { status: 201, body: 'accepted', error: null }, host)
    t.like(receiver.requests.at(-1), { path: '/a?b=c', headers: { host: `${host}:${receiver.port}` } })
  }
})

for (const address of ['8.8.8.8', '2606:4700:4700::1111']) {
  test(`an http name with one address outside the allowed networks (${address}) is not called`, async (t) => {
    const receiver = await testReceiver(t, { scheme: 'http' })
    for (const answer of [[address], ['127.0.0.1', address], [address, '127.0.0.1']]) {
      const client = await testHttpClient(t, trusted, { allowHttp: true, resolve: answering(answer) })
      t.like(await post(client, `http://${name}:${receiver.port}/`), { status: null, error: 'not-https' })
    }
    t.is(receiver.connections, 0)
  })
}

test('an http name that also resolves to another private network is a blocked address', async (t) => {
  const client = await testHttpClient(t, trusted, { allowHttp: true, resolve: answering(['127.0.0.1', '10.0.0.1']) })
  t.like(await post(client, `http://${name}:8080/`), { status: null, error: 'blocked-address' })
})

test('an http url that was accepted is not called if http is not or no longer allowed', async (t) => {
  const receiver = await testReceiver(t, { scheme: 'http' })
  for (const options of [{}, { allowHttp: true, allowCidrs: ['10.0.0.0/8'] }]) {
    const client = await testHttpClient(t, trusted, options)
    const error = options.allowHttp ? 'blocked-address' : 'not-https'
    t.like(await post(client, receiver.url), { status: null, error })
  }
  t.is(receiver.connections, 0)
})

test('a url in a form that the rules no longer accept is not called', async (t) => {
  const client = await testHttpClient(t, trusted, { allowCidrs: [], resolve: () => t.fail() as never })
  for (const url of ['https://db.internal/', 'https://user@example.com/', 'nonsense']) {
    t.like(await post(client, url), { status: null, error: 'blocked-address' }, url)
  }
})

test('an unreadable block of addresses stops the start', async (t) => {
  await t.throwsAsync(testHttpClient(t, trusted, { allowCidrs: ['10.0.0.0/8', '10.0.0.0/99'] }), {
    message: /webhooks\.allowCidrs.*10\.0\.0\.0\/99/,
  })
})
