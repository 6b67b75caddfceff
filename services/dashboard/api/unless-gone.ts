/** What a read finds, or `gone` where the service says that it is not there. What fails otherwise says nothing of that, and fails. */
export function unlessGone<Found, Gone>(read: Promise<Found>, gone: Gone): Promise<Found | Gone> {
  return read.catch((error) => (error?.status === 404 ? gone : Promise.reject(error)))
}
