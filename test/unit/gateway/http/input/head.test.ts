import test from 'ava'
import { assertHead, awaitsContinue } from '#services/gateway/http/input/head.ts'
import type { AppError } from '#shared/errors.ts'

type Headers = Parameters<typeof assertHead>[0]['headers']

const head = (headers: Headers, httpVersion = '1.1') => {
  return { httpVersion, httpVersionMajor: Number(httpVersion.split('.')[0]), headers: { host: 'a', ...headers } }
}

for (const coding of ['chunked', 'Chunked', ' chunked ,,']) {
  test(`transfer-encoding ${JSON.stringify(coding)} is accepted`, (t) => {
    t.notThrows(() => assertHead(head({ 'transfer-encoding': coding })))
  })
}

for (const coding of ['', 'gzip', 'gzip, chunked', 'chunked, chunked', 'identity', 'x-chunked']) {
  test(`transfer-encoding ${JSON.stringify(coding)} is not implemented`, (t) => {
    t.throws(() => assertHead(head({ 'transfer-encoding': coding })), { name: 'NOT_IMPLEMENTED' })
  })
}

for (const host of ['', 'a', 'a.example:3000', '127.0.0.1:1', '[::1]', '[fe80::1%eth0]:3000', 'my_host', 'a:']) {
  test(`the host ${JSON.stringify(host)} is accepted`, (t) => {
    t.notThrows(() => assertHead(head({ host })))
  })
}

for (const host of ['a b', 'a/b', 'user@a', 'a:b', 'a:1:2', '::1', '[::1', 'a?', 'a#', 'a\\b', 'a, b', '[a]b']) {
  test(`the host ${JSON.stringify(host)} is rejected`, (t) => {
    const error = t.throws<AppError>(() => assertHead(head({ host })))
    t.like(error?.details, { errors: [{ path: 'host' }] })
  })
}

test('HTTP/1.0 does not allow transfer-encoding', (t) => {
  const error = t.throws<AppError>(() => assertHead(head({ 'transfer-encoding': 'chunked' }, '1.0')))
  t.like(error?.details, { errors: [{ path: 'transfer-encoding' }] })
})

for (const [expect, version] of [['100-continue'], ['100-Continue, '], [''], ['tea', '1.0']] as const) {
  test(`expect ${JSON.stringify(expect)} of HTTP/${version ?? '1.1'} is accepted`, (t) => {
    t.notThrows(() => assertHead(head({ expect }, version)))
  })
}

for (const expect of ['tea', '100-continue, tea', '100-continue;q=1', '101-continue']) {
  test(`the expectation ${expect} fails`, (t) => {
    t.throws(() => assertHead(head({ expect })), { name: 'EXPECTATION_FAILED' })
  })
}

test('HTTP versions later than 1.1 are not supported', (t) => {
  for (const version of ['1.0', '0.9']) t.notThrows(() => assertHead(head({}, version)))
  t.throws(() => assertHead(head({}, '2.0')), { name: 'HTTP_VERSION_NOT_SUPPORTED' })
})

const waiting: [headers: Headers, waits: boolean, version?: string][] = [
  [{ expect: '100-continue', 'content-length': '1' }, true],
  [{ expect: 'x, 100-CONTINUE', 'transfer-encoding': 'chunked' }, true],
  [{ expect: '100-continue', 'content-length': '0' }, false],
  [{ expect: '100-continue' }, false],
  [{ 'content-length': '1' }, false],
  [{ expect: '100-continue', 'content-length': '1' }, false, '1.0'],
]
for (const [headers, waits, version] of waiting) {
  test(`a client that sends ${JSON.stringify(headers)} in HTTP/${version ?? '1.1'} ${waits ? 'waits' : 'does not wait'} for 100 Continue`, (t) => {
    t.is(awaitsContinue(head(headers, version)), waits)
  })
}
