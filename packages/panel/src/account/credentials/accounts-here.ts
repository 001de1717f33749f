/** The declaration of accounts with this server's limits for the length of a password. */
import type { Resource, Screen } from '@dala/model'
import { useMemo } from 'react'
import { type PasswordLengths, useAuthSettings } from './password-rules.ts'

/** Applies this server's password limits to the declaration of accounts. */
export function applyPasswordLimits<R extends Resource>(resource: R, { min, max }: PasswordLengths): R {
  const { password } = resource.fields
  if (password?.kind !== 'password') return resource
  return { ...resource, fields: { ...resource.fields, password: { ...password, minLength: min, maxLength: max } } }
}

/** A screen of accounts whose form checks a password like this server. */
export function useAccountScreen(screen: Screen): Screen {
  const { min, max } = useAuthSettings().password
  return useMemo(
    () => ({ ...screen, resource: applyPasswordLimits(screen.resource, { min, max }) }),
    [screen, min, max],
  )
}
