/** Checks of fields that only have to be filled in, such as those of the sign-in form. */
import { issueMessage } from '../../lib/issue-message.ts'

/** Returns the message of an error code when a text is blank. */
export const checkFilledField = (code: string) => (value: string) =>
  value.trim() === '' ? issueMessage(code) : undefined
