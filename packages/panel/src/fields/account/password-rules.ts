/** What a password has to be like on this server, and whether one makes an account for oneself. */
import type { Resource, Screen } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/client.ts'

export type PasswordLengths = {
  min: number
  max: number
}

interface AuthSettings {
  registration: boolean
  password: PasswordLengths
}

/** What holds until the server has said something else (spec §9). */
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

/** Accounts as this server takes them: the declaration with its lengths of a password. */
export function accountsWith<R extends Resource>(resource: R, { min, max }: PasswordLengths): R {
  const { password } = resource.fields
  if (password?.kind !== 'password') return resource
  return { ...resource, fields: { ...resource.fields, password: { ...password, minLength: min, maxLength: max } } }
}

/** A screen of accounts whose form checks a password as this server does. */
export function useAccountScreen(screen: Screen): Screen {
  const { min, max } = useAuthSettings().password
  return useMemo(() => ({ ...screen, resource: accountsWith(screen.resource, { min, max }) }), [screen, min, max])
}
