/** What a password has to be like on this server, and whether one makes an account for oneself. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export type PasswordLengths = {
  min: number
  max: number
}

interface AuthSettings {
  registration: boolean
  password: PasswordLengths
}

/** What holds until the server has said something else (requirements §9). */
const usual: AuthSettings = { registration: true, password: { min: 4, max: 16 } }

const settingsQuery = queryOptions({
  queryKey: ['auth', 'settings'],
  queryFn: ({ signal }) => call<AuthSettings>('GET', '/auth/settings', { signal }),
  staleTime: 5 * 60_000,
  meta: { inPlace: true },
})

export function useAuthSettings(): AuthSettings {
  return useQuery(settingsQuery).data ?? usual
}
