import type { Route } from '#services/gateway/request/route.ts'

type Described = 'operationId' | 'about' | 'response'

/** A route of a test, without a description. */
export function testRoute(served: Omit<Route, Described>): Route {
  return { operationId: 'test', about: 'A route of a test.', response: {}, ...served }
}
