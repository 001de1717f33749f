/** The fields that confirm the user's identity, as the forms of the security page use them. */
import type { Translate } from '../../lib/format.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import type { CredentialField } from '../credentials/credentials-form.tsx'

const checkFilled = (code: string) => (value: string) => (value.trim() === '' ? issueMessage(code) : undefined)

export const passwordField: CredentialField<'password'> = {
  name: 'password',
  label: 'field.currentPassword',
  kind: 'password',
  autoComplete: 'current-password',
  check: checkFilled('validation.password'),
}

/** Field of a second-step code; `orRecovery` also accepts a recovery code. */
export const codeField = (t: Translate, orRecovery: boolean): CredentialField<'code'> => ({
  name: 'code',
  label: 'auth.twoStep.code',
  kind: orRecovery ? 'text' : 'code',
  autoComplete: 'one-time-code',
  help: t(orRecovery ? 'account.twoStep.codeOrRecovery' : 'account.twoStep.codeHelp'),
  check: checkFilled('validation.required'),
})

/** Fields of the security page that show a refusal, by its error code. */
export const refusedAt = { 'auth.current-password': 'password', 'auth.two-step-code': 'code' } as const
