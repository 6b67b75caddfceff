import type { ExecutionContext } from 'ava'
import { errorPaths } from './answers/wire-errors.ts'
import { type Call, call } from './client.ts'

/** A request and what its answer must be. */
export type Scenario = Call & {
  /** Status, and the error's name when it is one: `400 VALIDATION_FAILED`. */
  is: string
  /** Paths of all errors, sorted. */
  errors?: string[]
  /** Part of the body. */
  contains?: Record<string, unknown>
  /** Text that must not be in the body. */
  lacks?: string
}

/** Sends the request and checks the response against the scenario, and against the rules for every response. */
export async function play(t: ExecutionContext, port: number, scenario: Scenario): Promise<void> {
  const { is, errors, contains, lacks, ...request } = scenario
  const reply = await call(port, request)
  const { status, headers, text, json } = reply
  const name = status >= 400 ? ` ${json?.name}` : ''
  t.is(`${status}${name}`, is, text)
  t.truthy(headers['x-request-id'])
  t.is(headers['access-control-allow-origin'], '*')
  if (status >= 400) t.is(json?.requestId, headers['x-request-id'])
  if (errors) t.deepEqual(errorPaths(reply), errors)
  if (contains) t.like(json, contains)
  if (lacks !== undefined) t.false(text.includes(lacks))
  if (status === 204 || request.method === 'HEAD') t.is(text, '')
}
