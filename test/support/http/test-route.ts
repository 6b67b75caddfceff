import type { Route } from '#services/gateway/request/route.ts'

type Described = 'operationId' | 'about' | 'response'

/** A route of a test, which no description of an API shows. */
export function testRoute(served: Omit<Route, Described>): Route {
  return { operationId: 'test', about: 'A route of a test.', response: {}, ...served }
}
