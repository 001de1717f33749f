/** How the fields of an account are checked before signing in: by the declaration of users, in its words. */
import { resources, validateField } from '@dala/model'
import { wordsOfIssue } from '../../lib/issue-words.ts'

/** What is wrong with a field of a new account, or undefined. */
export function checkAccount(field: 'username' | 'email' | 'password', value: string): string | undefined {
  const issue = validateField(resources.users, field, value, 'create')
  return issue && wordsOfIssue(issue.code, issue.params)
}

/** The words of a code of the catalogue when a text is blank. */
export const checkFilled = (code: string) => (value: string) => (value.trim() === '' ? wordsOfIssue(code) : undefined)
