import test from 'ava'
import { AppError } from '#shared/errors.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'

const systemError = (fields: object) => Object.assign(new Error('listen FAILED'), fields)

test("the operating system's codes are described in sentences", (t) => {
  const at = { address: '127.0.0.1', port: 80 }
  t.regex(describeError(systemError({ code: 'EADDRINUSE', ...at })), /^port 80 on 127\.0\.0\.1 is in use/)
  t.regex(
    describeError(systemError({ code: 'EADDRNOTAVAIL', ...at })),
    /^127\.0\.0\.1 is not an address of this machine/,
  )
  t.regex(describeError(systemError({ code: 'EACCES', ...at })), /^port 80 on 127\.0\.0\.1 requires more privileges/)
  t.regex(describeError(systemError({ code: 'EACCES', path: '/srv/data' })), /permission denied for \/srv\/data;/)
  t.regex(
    describeError(systemError({ code: 'EROFS', path: '/srv/data' })),
    /^the file system of \/srv\/data is read-only;/,
  )
  t.regex(describeError(systemError({ code: 'ENOSPC' })), /no space left/)
  t.regex(describeError(systemError({ code: 'SQLITE_FULL' })), /no space left on the device of the database/)
  t.is(describeError(systemError({ code: 'ENOENT', path: '/srv/x' })), '/srv/x does not exist.')
  t.regex(describeError(systemError({ code: 'EISDIR', path: '/srv/x' })), /^\/srv\/x is a folder, and must be a file;/)
  t.is(describeError(systemError({ code: 'ENOENT' })), 'listen FAILED')
  t.is(describeError(systemError({ code: 'EISDIR' })), 'listen FAILED')
})

test('the message for clients is shown with its reason', (t) => {
  const error = new AppError('SERVICE_UNAVAILABLE', { message: 'Nothing is there.', reason: 'it was eaten' })
  t.is(describeError(error), 'Nothing is there (it was eaten).')
  t.is(describeError(new AppError('LIST_READONLY')), 'The list is read-only.')
})

test('our own sentences are passed on, without a stack', (t) => {
  t.is(describeError(new Error('the data directory is locked.')), 'the data directory is locked.')
  t.is(describeError('thrown text'), 'thrown text')
})
