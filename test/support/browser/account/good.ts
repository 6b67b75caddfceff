import type { Api } from '../../http/api.ts'

/** Calls that all succeed. */
export function good(api: Api): Api {
  return async (...request) => {
    const answer = await api(...request)
    if (answer.status > 299) throw new Error(`${request.slice(0, 2).join(' ')}: ${answer.text}`)
    return answer
  }
}
