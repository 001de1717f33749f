/** The fields by which one proves to be oneself, as the forms of the security page have them. */
import type { Translate } from '../../lib/format.ts'
import { wordsOfIssue } from '../../lib/issue-words.ts'
import type { CredentialField } from '../credentials/credentials-form.tsx'

const filled = (code: string) => (value: string) => (value.trim() === '' ? wordsOfIssue(code) : undefined)

export const passwordField: CredentialField<'password'> = {
  name: 'password',
  label: 'field.currentPassword',
  kind: 'password',
  autoComplete: 'current-password',
  check: filled('validation.password'),
}

/** `orRecovery`: one of the codes that were put away does as well. */
export const codeField = (t: Translate, orRecovery: boolean): CredentialField<'code'> => ({
  name: 'code',
  label: 'auth.twoStep.code',
  kind: orRecovery ? 'text' : 'code',
  autoComplete: 'one-time-code',
  help: t(orRecovery ? 'account.twoStep.codeOrRecovery' : 'account.twoStep.codeHelp'),
  check: filled('validation.required'),
})

/** Where the refusals of these fields are said. */
export const refusedAt = { 'auth.current-password': 'password', 'auth.two-step-code': 'code' } as const
