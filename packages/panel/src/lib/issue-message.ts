/** The message of an issue that a check or the server reported, in the user's language. */
import { labelOfCode, type MessageId } from '@dala/model'
import { hasMessage, t } from './i18n.ts'

/** Message of an issue in the user's language; `fallback` for a code that the catalogue does not know. */
export function issueMessage(
  code: string,
  params: Readonly<Record<string, string | number>> = {},
  fallback = '',
): string {
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label satisfies MessageId, params) : fallback
}
