/** The methods that a route, or every path, answers. */
export const everyMethod: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
