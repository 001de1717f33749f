/** How the fields of an account are checked before signing in: by the declaration of users, in its words. */
import { resources, validateField } from '@dala/model'
import { accountsWith } from '../credentials/accounts-here.ts'
import type { PasswordLengths } from '../credentials/password-rules.ts'
import { t } from '../../lib/i18n.ts'
import { wordsOfIssue } from '../../lib/issue-words.ts'

/** What is wrong with a field of a new account, or undefined. */
export function checkAccount(field: 'username' | 'email', value: string): string | undefined {
  // The declaration asks for "a name", as it does of everything that has one.
  if (field === 'username' && value.trim() === '') return t('validation.username')
  const issue = validateField(resources.users, field, value, 'create')
  return issue && wordsOfIssue(issue.code, issue.params)
}

/** What is wrong with a new password, by the lengths of this server. */
export function checkPassword(lengths: PasswordLengths, value: string): string | undefined {
  const issue = validateField(accountsWith(resources.users, lengths), 'password', value, 'create')
  return issue && wordsOfIssue(issue.code, issue.params)
}
