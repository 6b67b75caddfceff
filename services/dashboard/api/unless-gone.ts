/** The result of a read, or `gone` if the service answers that the resource does not exist. @throws every other error */
export function unlessGone<Found, Gone>(read: Promise<Found>, gone: Gone): Promise<Found | Gone> {
  return read.catch((error) => (error?.status === 404 ? gone : Promise.reject(error)))
}
