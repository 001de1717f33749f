/** Checks the fields of an account before signing in, by the declaration of users. */
import { resources, validateField } from '@dala/model'
import { applyPasswordLimits } from '../credentials/accounts-here.ts'
import type { PasswordLengths } from '../credentials/password-rules.ts'
import { t } from '../../lib/i18n.ts'
import { issueMessage } from '../../lib/issue-message.ts'

/** Error message of a field of a new account, or undefined. */
export function checkAccount(field: 'username' | 'email', value: string): string | undefined {
  // An empty user name has a message of its own, because the model's message asks for "a name" of any record.
  if (field === 'username' && value.trim() === '') return t('validation.username')
  const issue = validateField(resources.users, field, value, 'create')
  return issue && issueMessage(issue.code, issue.params)
}

/** The error message of a new password, by the limits of this server. */
export function checkPassword(lengths: PasswordLengths, value: string): string | undefined {
  const issue = validateField(applyPasswordLimits(resources.users, lengths), 'password', value, 'create')
  return issue && issueMessage(issue.code, issue.params)
}
