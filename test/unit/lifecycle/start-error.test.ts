import test from 'ava'
import { ConfigError } from '#shared/config/config-error.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import { StartError, startExitCode } from '#shared/lifecycle/start-error.ts'

test('78 means that something must be changed, 75 that a retry may succeed, 1 anything else', (t) => {
  const withCode = (code: string) => Object.assign(new Error('listen FAILED'), { code })
  const cases = [
    [new ConfigError([]), 78],
    ...['EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR'].map((code) => [withCode(code), 78] as const),
    [new StartError(78, 'nats.serverPath does not name an executable program.'), 78],
    [withCode('EADDRINUSE'), 75],
    [unavailable('the pool is exhausted'), 75],
    [new StartError(75, 'another listd runs on the data directory.'), 75],
    [new AppError('INTERNAL_ERROR'), 1],
    [withCode('ENOSPC'), 1],
    [new Error('the moon is not full.'), 1],
    ['thrown text', 1],
  ] as const
  for (const [error, code] of cases) t.is(startExitCode(error), code, String(error))
})
