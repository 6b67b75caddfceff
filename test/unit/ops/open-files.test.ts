import test from 'ava'
import { checkOpenFiles } from '#services/supervisor/doctor/open-files.ts'
import { connectionsWithin, maxConnections, neededFiles, openFilesLimit } from '#shared/ops/open-files.ts'

test('the limit of open files is read, and is unlimited if the system does not report it', (t) => {
  const limits =
    'Limit   Soft Limit  Hard Limit  Units\nMax open files            256                  4096                 files\n'
  t.is(openFilesLimit(limits), 256)
  t.is(openFilesLimit(limits.replace('256 ', 'unlimited ')), Number.POSITIVE_INFINITY)
  t.is(openFilesLimit(''), Number.POSITIVE_INFINITY)
  t.true(openFilesLimit() > 0)
})

test('no more connections are accepted than the limit of files allows', (t) => {
  for (const [files, connections] of [
    [Number.POSITIVE_INFINITY, maxConnections],
    [neededFiles, maxConnections],
    [256, 56],
    [20, 1],
  ] as const) {
    t.is(connectionsWithin(files), connections)
  }
})

test('the doctor says how many connections fit, and reports a limit below 1,024 as wrong', (t) => {
  t.is(checkOpenFiles(Number.POSITIVE_INFINITY).state, 'ok')
  t.is(checkOpenFiles(neededFiles).state, 'ok')
  t.like(checkOpenFiles(1_024), {
    state: 'note',
    message: '1024, enough for 824 connections of the 4096 that a gateway may have',
  })
  t.is(checkOpenFiles(1_023).state, 'wrong')
})
