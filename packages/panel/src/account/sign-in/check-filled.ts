/** Checks of fields that only have to be filled in, such as those of the sign-in form. */
import { wordsOfIssue } from '../../lib/issue-words.ts'

/** The message of an error code when a text is blank. */
export const checkFilled = (code: string) => (value: string) => (value.trim() === '' ? wordsOfIssue(code) : undefined)
