/** The declaration of accounts as it holds on this server: with its lengths of a password. */
import type { Resource, Screen } from '@dala/model'
import { useMemo } from 'react'
import { type PasswordLengths, useAuthSettings } from './password-rules.ts'

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
