/** Settings that the pages before the sign-in need: rules of passwords, registration, the name of the organisation. */
import { type AuthSettings, type LocalTexts, locales } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

export type PasswordLengths = AuthSettings['password']

/** Default password rules until the server has answered (requirements §9). */
const defaultSettings: AuthSettings = {
  registration: true,
  password: { min: 4, max: 16 },
  name: Object.fromEntries(locales.map((locale) => [locale, null])) as LocalTexts,
}

const settingsQuery = queryOptions({
  queryKey: ['auth', 'settings'],
  queryFn: ({ signal }) => callRoute('GET /api/auth/settings', { signal }),
  staleTime: 5 * 60_000,
  meta: { inPlace: true },
})

export function useAuthSettings(): AuthSettings {
  return useQuery(settingsQuery).data ?? defaultSettings
}
